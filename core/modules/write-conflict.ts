import { Exception, nameException } from '../../library/values/objects/exceptions.ts';

/**
 * Exception of a write that met another. Programs name it in an `except`; no call raises it, because the server runs a
 * call anew whose writes met others (docs/server/storage.md#replay).
 */
export class WriteConflict extends Exception {}
nameException(WriteConflict, 'WriteConflict', 'svclang.runtimelib.exceptions');
