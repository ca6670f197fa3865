/** References in values of `configparser` to other values: `%(name)s`, or `${name}` and `${section:name}`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { ValueError } from '../../values/objects/exceptions.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { InterpolationDepthError, InterpolationMissingOptionError, InterpolationSyntaxError } from './errors.ts';

export interface Interpolation {
  /** The text with its references replaced. */
  before(section: string, option: string, value: string, find: Find): string;
  /** @throws ValueError for a text that could not be read again */
  check(value: string): void;
}

/** The value of an option of a section (undefined: the one at hand); undefined where there is none. */
export type Find = (section: string | undefined, option: string) => unknown;

export const uninterpolated: Interpolation = { before: (_section, _option, value) => value, check: () => {} };

interface Spelling {
  readonly mark: '%' | '$';
  readonly opening: '(' | '{';
  /**
   * Pattern for the text behind a mark: the mark again, a reference (group 1 is its name), an opening that nothing
   * closes (group 2), anything else.
   */
  readonly pattern: RegExp;
  readonly reference: RegExp;
  /** Section and option of a reference, or the option alone. */
  path(name: string): readonly string[];
}

export const maxDepth = 10;

function interpolation({ mark, opening, pattern, reference, path }: Spelling): Interpolation {
  return {
    before(section, option, value, find) {
      const wrong = (message: string) => new InterpolationSyntaxError(option, section, message);
      const replace = (text: string, depth: number): string => {
        if (depth > maxDepth) throw new InterpolationDepthError(option, section, value);
        return text.replace(pattern, (all, name: string | undefined, unclosed: string | undefined) => {
          if (all === mark + mark) return mark;
          const from = text.indexOf(all);
          if (unclosed !== undefined) throw wrong(`bad interpolation variable reference ${reprOf(text.slice(from))}`);
          if (name === undefined)
            throw wrong(`'${mark}' must be followed by '${mark}' or '${opening}', found: ${reprOf(text.slice(from))}`);
          const steps = path(name);
          if (steps.length > 2) throw wrong(`More than one ':' found: ${reprOf(text.slice(from + all.length))}`);
          const found = steps.length === 1 ? find(undefined, name) : find(steps[0], steps[1]!);
          if (found === undefined) throw new InterpolationMissingOptionError(option, section, value, name);
          const referred = found === null ? '' : strOf(found);
          return referred.includes(mark) ? replace(referred, depth + 1) : referred;
        });
      };
      return value.includes(mark) ? replace(value, 1) : value;
    },
    check(value) {
      const at = value
        .replaceAll(mark + mark, '')
        .replace(reference, '')
        .indexOf(mark);
      if (at >= 0) throw new ValueError(`invalid interpolation syntax in ${reprOf(value)} at position ${at}`);
    },
  };
}

class BasicInterpolation {
  readonly $how: Interpolation = interpolation({
    mark: '%',
    opening: '(',
    pattern: /%(?:%|\(([^)]+)\)s|(\()|[\s\S])?/g,
    reference: /%\([^)]+\)s/g,
    path: (name) => [name],
  });
}
class ExtendedInterpolation {
  readonly $how: Interpolation = interpolation({
    mark: '$',
    opening: '{',
    pattern: /\$(?:\$|\{([^}]+)\}|(\{)|[\s\S])?/g,
    reference: /\$\{[^}]+\}/g,
    path: (name) => name.split(':'),
  });
}
nativeClass(BasicInterpolation, { name: 'BasicInterpolation', module: 'configparser' });
nativeClass(ExtendedInterpolation, { name: 'ExtendedInterpolation', module: 'configparser' });

/** Interpolation of a `ConfigParser` without the option. */
export const usualInterpolation: Interpolation = new BasicInterpolation().$how;
export const interpolations = { BasicInterpolation, ExtendedInterpolation };
