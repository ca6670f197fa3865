/** `Jane Austen` is J. A. */
export function initials(name: string): string {
  return name
    .split(/\s+/)
    .map((part) => `${part.charAt(0).toUpperCase()}.`)
    .join(' ');
}
