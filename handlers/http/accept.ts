/**
 * Tells whether a caller wants errors as problem details (docs/server/errors.md#problem-details):
 * `application/problem+json` is named, with a quality not lower than that of `application/json`.
 */
export function wantsProblemDetails(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false;
  const ranges = accept.split(',').map(parseRange);
  const problem = ranges.find((range) => range.type === 'application/problem+json');
  if (problem === undefined || problem.quality === 0) return false;
  const json =
    ranges.find((range) => range.type === 'application/json') ??
    ranges.find((range) => range.type === 'application/*') ??
    ranges.find((range) => range.type === '*/*');
  return problem.quality >= (json?.quality ?? 0);
}

function parseRange(text: string): { readonly type: string; readonly quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((part) => part.startsWith('q='))?.slice(2);
  const number = quality === undefined ? 1 : Number(quality);
  return { type, quality: Number.isFinite(number) ? number : 0 };
}
