import { expect, test } from 'vitest';
import { splitImports } from './runtime-imports.ts';

test.each([
  ["import { useState } from '@svc/runtime';", "import { useState } from '@svc/runtime';"],
  ["import { Link as A } from '@svc/runtime'", "import { Link as A } from '@svc/runtime/router'"],
  [
    'import {\n  Link,\n  useState,\n  SvcForm,\n} from "@svc-client/utils";\nx;',
    "import { Link } from '@svc/runtime/router'; import { useState } from '@svc/runtime'; import { SvcForm } from '@svc/runtime/forms'\n\n\n\n;\nx;",
  ],
  ["export { navigate } from '@svc/runtime';", "export { navigate } from '@svc/runtime/router';"],
  ["import * as all from '@svc/runtime';", "import * as all from '@svc/runtime';"],
  ["import { Link } from 'react-router-dom';", "import { Link } from 'react-router-dom';"],
])('%j', (from, to) => {
  expect(splitImports(from)).toBe(to);
});
