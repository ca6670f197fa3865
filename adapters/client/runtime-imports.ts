/** Imports of `@svc/runtime` in scripts beside `.svc` modules: members of its parts that need packages come from these parts. */
import type { Plugin } from 'vite';
import { runtimePart } from '../../lang/6-emit-client/runtime-parts.ts';

export function runtimeImports(): Plugin {
  return {
    name: 'svc:runtime-imports',
    enforce: 'pre',
    transform: {
      filter: { id: /^(?!.*\/node_modules\/).*\.[mc]?[jt]sx?(\?|$)/, code: /@svc(\/runtime|-client\/utils)['"]/ },
      handler: (code) => ({ code: splitImports(code), map: null }),
    },
  };
}

/** One import for each part, in the place and on the lines of the one that names them all. */
export function splitImports(code: string): string {
  return code.replace(named, (whole, word: string, list: string) => {
    const parts = new Map<string, string[]>();
    for (const member of list.split(',').map((one) => one.trim())) {
      if (member === '') continue;
      const part = runtimePart(member.split(/\s/, 1)[0]!);
      parts.set(part, [...(parts.get(part) ?? []), member]);
    }
    if (parts.size === 0 || (parts.size === 1 && parts.has('@svc/runtime'))) return whole;
    const texts = [...parts].map(([part, members]) => `${word} { ${members.join(', ')} } from '${part}'`);
    return texts.join('; ') + '\n'.repeat(whole.split('\n').length - 1);
  });
}

const named =
  /\b(import|export)\s*\{([^}]*)\}\s*from\s*(?:'@svc(?:\/runtime|-client\/utils)'|"@svc(?:\/runtime|-client\/utils)")/g;
