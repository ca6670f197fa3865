/** Frames of a connection, in the order in which they came. */
import { el, jsonView } from './elements.js';

/** Frames that are kept in view. */
const maxShown = 200;

const marks = { sent: '\u2191', received: '\u2193', note: '\u2022' };

/** A list, and what adds a frame to it. */
export function frameLog() {
  const view = el('ol', { class: 'frames', 'aria-label': 'Frames' });
  /**
   * @param {keyof typeof marks} direction
   * @param {string} text
   */
  const note = (direction, text) => {
    const isAtEnd = view.scrollTop + view.clientHeight >= view.scrollHeight - 4;
    view.append(
      el(
        'li',
        { class: `frame frame-${direction}` },
        el('span', { class: 'frame-mark', 'aria-label': direction }, marks[direction]),
        el('time', { class: 'muted' }, new Date().toLocaleTimeString()),
        direction === 'note' ? el('span', { class: 'muted' }, text) : jsonView(text),
      ),
    );
    while (view.childElementCount > maxShown) view.firstChild?.remove();
    if (isAtEnd) view.scrollTop = view.scrollHeight;
  };
  return { view, note };
}
