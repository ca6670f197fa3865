/** docs/server/commands.md#exit-codes. */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  invalid: 3,
  cannotBind: 4,
  deployFailed: 5,
  notReadyInTime: 6,
  prerequisite: 7,
} as const;
