import { lazy } from 'react';
import { Other } from './notes.svc';

export const Notes = lazy(() => import('./notes.svc'));
export const Plain = Other;
export const tones = ['high', 'low'];
