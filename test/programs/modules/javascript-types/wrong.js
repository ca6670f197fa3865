// What its declarations say is not so.
export function word() {
  return [1, 2];
}
export function amount() {
  return 'seven';
}
