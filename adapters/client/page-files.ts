/** Files that a page of `pages/` takes besides those of the application: whoever asks for its address loads them with it, and not one after the other. */
import type { PageRoute } from '../../lang/6-emit-client/pages.ts';

export interface PageFiles {
  /** Address as the router matches it: `/tasks/:id`, `/files/*`. */
  readonly pattern: string;
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** Addresses of all pages, as the router matches them. */
export function pageAddresses(routes: readonly PageRoute[], around = ''): readonly string[] {
  return routes.flatMap(({ path, children }) => {
    const whole = path === undefined ? around : `${around}/${path}`;
    return children === undefined ? [whole || '/'] : pageAddresses(children, whole);
  });
}

/** Names of the files that the module at a path is in, with what it imports at once. */
export type FilesOf = (path: string) => Pick<PageFiles, 'scripts' | 'styles'>;

/** Pages that anybody may see: what is behind a sign-in is loaded when somebody has signed in. */
export function pageFiles(routes: readonly PageRoute[], filesOf: FilesOf): readonly PageFiles[] {
  return below(routes, { pattern: '', scripts: [], styles: [] });

  function below(inside: readonly PageRoute[], around: PageFiles): readonly PageFiles[] {
    return inside.flatMap(({ path, component, guarded, children }) => {
      if (guarded) return [];
      const own = component === undefined ? { scripts: [], styles: [] } : filesOf(component.path);
      const whole = {
        pattern: path === undefined ? around.pattern : `${around.pattern}/${path}`,
        scripts: [...new Set([...around.scripts, ...own.scripts])],
        styles: [...new Set([...around.styles, ...own.styles])],
      };
      return children === undefined ? [{ ...whole, pattern: whole.pattern || '/' }] : below(children, whole);
    });
  }
}
