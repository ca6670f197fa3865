import { connect, outgoing, root, spawn } from 'svc-scale';
import { own } from './main.svc';
import { Meet, Mood, Person, people } from './model.svc';
import { moods } from './names.ts';

export async function run(): Promise<string> {
  connect(root(), new Person('Ada', 'Lovelace', Mood.WILD));
  connect(root(), new Person('Jane'));
  const meet = await spawn(new Meet());
  const [first]: any[] = await outgoing(root(), Person);
  const lines = [
    meet.met.join(', '),
    meet.reports.map(String).join(),
    people(1).length,
    first.name(),
    moods().join('/'),
  ];
  return own(lines.join(' | '));
}

/** Read by model.svc, which runs before this file does. */
export const SIGN = '!';
export class Badge {
  readonly text = `badge${SIGN}`;
}
