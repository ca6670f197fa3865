/** False once the host has refused: it then never allows it again. */
let isAllowed = true;

/**
 * Runs `body` as the body of a function whose parameters are the names of `scope`. Undefined where the host compiles no text while a program
 * runs (a worker at the edge, Node with `--disallow-code-generation-from-strings`): whoever asks does the same without text, slower.
 *
 * @throws SyntaxError for a body that is no JavaScript; what the body throws
 */
export function compileText<T>(scope: Readonly<Record<string, unknown>>, body: string): T | undefined {
  if (!isAllowed) return undefined;
  try {
    return new Function(...Object.keys(scope), body)(...Object.values(scope)) as T;
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    isAllowed = false;
    return undefined;
  }
}
