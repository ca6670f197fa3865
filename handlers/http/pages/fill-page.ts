/** A page with its `{{names}}` replaced: by values, which are never read as markup, or by `markup`, which is. */
export function fillPage(
  page: string,
  values: Readonly<Record<string, string>>,
  markup: Readonly<Record<string, string>> = {},
): string {
  return page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => markup[name] ?? escapeText(values[name] ?? ''));
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
