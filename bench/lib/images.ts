/** Exports of the tests that the measurement of images needs. */
export { writeBaseLayout } from '../../test/harness/images/base-layout.ts';
export { startDocker } from '../../test/harness/images/docker-engine.ts';
export { startRepositoryIndex } from '../../test/harness/images/package-index.ts';
export { openPodman } from '../../test/harness/images/podman-engine.ts';
