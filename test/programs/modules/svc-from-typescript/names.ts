import { Mood } from './model.svc';

export const fullName = (first: string, last: string): string => `${first} ${last}`;
export const moods = (): string[] => [...Mood].map((mood: { value: string }) => mood.value);
