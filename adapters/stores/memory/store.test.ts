import { describeStore } from '../../../test/contracts/store.ts';
import { openMemoryStore } from './store.ts';

describeStore('memory', async () => openMemoryStore());
