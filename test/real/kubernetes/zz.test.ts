import { writeFileSync, existsSync } from 'node:fs';
import { test } from 'vitest';
import { startCluster } from './cluster.ts';
test('play', async () => {
  const cluster = await startCluster();
  writeFileSync('/tmp/play.env', Object.entries(cluster.env).map(([k,v])=>`export ${k}='${v}'`).join('\n')+'\n');
  await cluster.ask('POST', '/api/v1/persistentvolumes', { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'one' }, spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/nowhere' }, persistentVolumeReclaimPolicy: 'Retain' } });
  while (!existsSync('/tmp/play.stop')) await new Promise((r) => setTimeout(r, 500));
  await cluster[Symbol.asyncDispose]();
}, 6000000);
