import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDocuments } from '../../../test/contracts/documents.ts';
import { testDatabases } from '../../../test/harness/test-databases.ts';

describeDocuments('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kv-'));
  const ends = [testDatabases({ embeddedIn: folder }), testDatabases({ embeddedIn: folder })] as const;
  return {
    ends,
    async [Symbol.asyncDispose]() {
      for (const end of ends) await end.close();
      rmSync(folder, { recursive: true });
    },
  };
});
