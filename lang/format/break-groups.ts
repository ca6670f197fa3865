/** Groups that are broken whatever the width, and the group to which each gap belongs. */
import type { Trivia } from './comments.ts';
import { HARD } from './gaps.ts';
import type { Group, Layout } from './layout.ts';

/** Tells whether a line ends in the gap before token `i` in any case: its kind says so, or a comment does. */
export function endsLine(l: Layout, i: number): boolean {
  return l.gaps[i] === HARD || forcesLine(l.trivia[i]!);
}

/** Block comments directly before a token, `#* a *# x`, go where it goes; others keep the line ends they stand between. */
function forcesLine({ comments, newlines }: Trivia): boolean {
  if (comments.length === 0) return false;
  return newlines > 0 || comments.some((comment, n) => !comment.isBlock || (n > 0 && comment.newlines > 0));
}

/** Orders the groups from outside to inside, gives each its parent and finds the innermost one around each gap. */
export function nestGroups(l: Layout): (Group | undefined)[] {
  const order = new Map(l.groups.map((group, n) => [group, n]));
  l.groups.sort((a, b) => a.open - b.open || b.close - a.close || order.get(a)! - order.get(b)!);
  const { count } = l.tokens;
  const owners = new Array<Group | undefined>(count + 1);
  let current: Group | undefined;
  let next = 0;
  for (let i = 0; i < count; i++) {
    while (current !== undefined && current.close < i) current = current.parent;
    owners[i] = current;
    for (; next < l.groups.length && l.groups[next]!.open === i; next++) {
      const group = l.groups[next]!;
      group.parent = current;
      current = group;
    }
  }
  return owners;
}

/** Sets `forced` where something inside asks for it, from inside to outside. */
export function forceGroups(l: Layout, owners: readonly (Group | undefined)[]): void {
  for (let i = 1; i < l.tokens.count; i++) {
    const owner = owners[i];
    if (owner === undefined || !endsLine(l, i)) continue;
    owner.forced = true;
  }
  for (let n = l.groups.length - 1; n >= 0; n--) {
    const group = l.groups[n]!;
    if (group.leader?.forced) group.forced = true;
    if (!group.forced && group.contains) group.forced = group.strict || !mayContain(group);
    if (group.forced || group.contains) tellParent(group);
  }
  for (const group of l.groups) if (group.leader?.forced) group.forced = true;
}

/** A list may keep its line when all that is broken is one item that may be. */
function mayContain({ items, hugs, brokenItems, brokenItem }: Group): boolean {
  if (items === undefined) return true;
  return brokenItems === 1 && hugs?.[brokenItem] === true;
}

function tellParent(group: Group): void {
  const { parent } = group;
  if (parent === undefined) return;
  parent.contains = true;
  if (parent.items === undefined) return;
  const item = itemOf(parent.items, group.open);
  if (parent.brokenItem !== item) {
    parent.brokenItems++;
    parent.brokenItem = item;
  }
}

function itemOf(items: readonly number[], token: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]! <= token) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
