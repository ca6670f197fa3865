import { describeConnections } from '../../../test/contracts/connections.ts';
import { openMemoryConnections } from './connections.ts';

describeConnections('memory', async (nowMs) => openMemoryConnections(nowMs));
