interface Named {
  readonly name: string;
  /** Other name of the parameter. */
  readonly also?: string;
  readonly kind: string;
}

/** Index of the parameter that a keyword argument is for: of that name, else a free one with that other name. -1: none. */
export function findParameter(params: readonly Named[], name: string, isFree: (index: number) => boolean): number {
  const takesNames = ({ kind }: Named) => kind === 'any' || kind === 'kw';
  const at = params.findIndex((param) => param.name === name && takesNames(param));
  return at >= 0 ? at : params.findIndex((param, i) => param.also === name && takesNames(param) && isFree(i));
}
