/** Outputs of `MockLLM` that are neither values nor calls of tools. */
import { nativeClass } from '../../library/builtins/native-class.ts';

/** Text as a service would have sent it: it is read and converted. */
export class MockRawResponse {
  readonly content: unknown;

  constructor(content: unknown) {
    this.content = content;
  }
}
nativeClass(MockRawResponse, { name: 'MockRawResponse', module: 'byllm.types', params: 'content' });

/** The service fails with this exception. */
export class MockError {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}
nativeClass(MockError, { name: 'MockError', module: 'byllm.types', params: 'error' });
