/** Quantities of the orchestrator: `500m`, `1.5`, `12Gi`. */
export function isQuantity(text: string): boolean {
  return /^\d+(\.\d+)?(m|k|[MGTPE]i?|Ki|[eE]\d+)?$/.test(text);
}

/** Guesses the quantity that somebody meant who wrote `12GB`, `512 mb` or `2 cores`; undefined: no guess. */
export function nearestQuantity(text: string, of: 'cpu' | 'bytes'): string | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  if (of === 'cpu') return /^m/i.test(unit) ? `${number}m` : /^(c|v?cpu|$)/i.test(unit) ? number : undefined;
  const letter = /^([kmgtpe])i?b?(ytes)?$/i.exec(unit)?.[1]?.toUpperCase();
  return letter === undefined ? undefined : `${number}${letter}i`;
}
