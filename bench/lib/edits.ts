/** Exports of the compiler that measurements of edits need, in one bundle. */
export { standardMembers } from '../../core/modules/standard-members.ts';
export { analyse } from '../../lang/analysis.ts';
export { completionAt } from '../../lang/editor/complete/completion.ts';
export { viewOf } from '../../lang/editor/view.ts';
export { filesInMemory } from '../../lang/project/files.ts';
export { createKeptFiles } from '../../lang/project/kept-files.ts';
export { readProject } from '../../lang/project.ts';
export { signatures } from '../../library/signatures/signatures.ts';
