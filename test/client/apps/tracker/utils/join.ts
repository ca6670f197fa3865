export const joined = (parts: readonly unknown[]): string =>
  parts.filter((one) => typeof one === 'string' && one !== '').join(' ');
