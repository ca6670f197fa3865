/** Methods of the discovery documents that a deployment calls, with the permission that each needs (https://cloud.google.com/iam/docs/permissions-reference). */
export interface Method {
  readonly service: string;
  /** `POST v2/projects/*\/locations/*\/services`; a star is one part of a path. */
  readonly call: string;
  readonly id: string;
  readonly permission?: string;
  /** Query parameters; `!` marks those that are required. */
  readonly query?: readonly string[];
  readonly body?: string;
}

const P = 'projects/*';
const L = `${P}/locations/*`;
const policyQuery = ['options.requestedPolicyVersion'];

function method(service: string, call: string, id: string, more: Omit<Method, 'service' | 'call' | 'id'> = {}): Method {
  return { service, call, id, ...more };
}

export const methods: readonly Method[] = [
  method('run', `GET v2/${L}/services/*`, 'services.get', { permission: 'run.services.get' }),
  method('run', `POST v2/${L}/services`, 'services.create', {
    ...{ permission: 'run.services.create', query: ['serviceId!', 'validateOnly'], body: 'Service' },
  }),
  method('run', `PATCH v2/${L}/services/*`, 'services.patch', {
    ...{ permission: 'run.services.update', query: ['updateMask', 'validateOnly', 'allowMissing'], body: 'Service' },
  }),
  method('run', `DELETE v2/${L}/services/*`, 'services.delete', {
    ...{ permission: 'run.services.delete', query: ['etag', 'validateOnly'] },
  }),
  method('run', `GET v2/${L}/services/*:getIamPolicy`, 'policy.get', {
    ...{ permission: 'run.services.getIamPolicy', query: policyQuery },
  }),
  method('run', `POST v2/${L}/services/*:setIamPolicy`, 'policy.set', {
    ...{ permission: 'run.services.setIamPolicy', body: 'SetIamPolicyRequest' },
  }),
  method('run', `GET v2/${L}/services/*/revisions`, 'revisions.list', {
    ...{ permission: 'run.revisions.list', query: ['pageSize', 'pageToken', 'showDeleted'] },
  }),
  method('run', `GET v2/${L}/services/*/revisions/*`, 'revisions.get', { permission: 'run.revisions.get' }),
  method('run', `DELETE v2/${L}/services/*/revisions/*`, 'revisions.delete', {
    ...{ permission: 'run.revisions.delete', query: ['etag', 'validateOnly'] },
  }),
  method('run', `GET v2/${L}/operations/*`, 'operations.get', { permission: 'run.operations.get' }),

  method('artifactregistry', `GET v1/${L}/repositories/*`, 'repositories.get', {
    permission: 'artifactregistry.repositories.get',
  }),
  method('artifactregistry', `POST v1/${L}/repositories`, 'repositories.create', {
    ...{ permission: 'artifactregistry.repositories.create', query: ['repositoryId!'], body: 'Repository' },
  }),
  method('artifactregistry', `DELETE v1/${L}/repositories/*`, 'repositories.delete', {
    permission: 'artifactregistry.repositories.delete',
  }),
  method('artifactregistry', `GET v1/${L}/repositories/*/packages`, 'packages.list', {
    ...{ permission: 'artifactregistry.packages.list', query: ['pageSize', 'pageToken'] },
  }),
  method('artifactregistry', `DELETE v1/${L}/repositories/*/packages/*`, 'packages.delete', {
    permission: 'artifactregistry.packages.delete',
  }),
  method('artifactregistry', `GET v1/${L}/operations/*`, 'operations.get'),

  method('secretmanager', `GET v1/${P}/secrets`, 'secrets.list', {
    ...{ permission: 'secretmanager.secrets.list', query: ['filter', 'pageSize', 'pageToken'] },
  }),
  method('secretmanager', `GET v1/${P}/secrets/*`, 'secrets.get', { permission: 'secretmanager.secrets.get' }),
  method('secretmanager', `POST v1/${P}/secrets`, 'secrets.create', {
    ...{ permission: 'secretmanager.secrets.create', query: ['secretId!'], body: 'Secret' },
  }),
  method('secretmanager', `DELETE v1/${P}/secrets/*`, 'secrets.delete', {
    ...{ permission: 'secretmanager.secrets.delete', query: ['etag'] },
  }),
  method('secretmanager', `POST v1/${P}/secrets/*:addVersion`, 'versions.add', {
    ...{ permission: 'secretmanager.versions.add', body: 'AddSecretVersionRequest' },
  }),
  method('secretmanager', `GET v1/${P}/secrets/*:getIamPolicy`, 'policy.get', {
    ...{ permission: 'secretmanager.secrets.getIamPolicy', query: policyQuery },
  }),
  method('secretmanager', `POST v1/${P}/secrets/*:setIamPolicy`, 'policy.set', {
    ...{ permission: 'secretmanager.secrets.setIamPolicy', body: 'SetIamPolicyRequest' },
  }),
  method('secretmanager', `GET v1/${P}/secrets/*/versions`, 'versions.list', {
    ...{ permission: 'secretmanager.versions.list', query: ['filter', 'pageSize', 'pageToken'] },
  }),
  method('secretmanager', `GET v1/${P}/secrets/*/versions/*:access`, 'versions.access', {
    permission: 'secretmanager.versions.access',
  }),
  method('secretmanager', `POST v1/${P}/secrets/*/versions/*:destroy`, 'versions.destroy', {
    ...{ permission: 'secretmanager.versions.destroy', body: 'DestroySecretVersionRequest' },
  }),

  method('iam', `GET v1/${P}/serviceAccounts/*`, 'accounts.get', { permission: 'iam.serviceAccounts.get' }),
  method('iam', `POST v1/${P}/serviceAccounts`, 'accounts.create', {
    ...{ permission: 'iam.serviceAccounts.create', body: 'CreateServiceAccountRequest' },
  }),
  method('iam', `DELETE v1/${P}/serviceAccounts/*`, 'accounts.delete', { permission: 'iam.serviceAccounts.delete' }),
  method('iam', `POST v1/${P}/serviceAccounts/*:testIamPermissions`, 'test', { body: 'TestIamPermissionsRequest' }),

  method('cloudresourcemanager', `POST v1/${P}:testIamPermissions`, 'test', { body: 'TestIamPermissionsRequest' }),
  method('cloudresourcemanager', `POST v1/${P}:getIamPolicy`, 'policy.get', {
    ...{ permission: 'resourcemanager.projects.getIamPolicy', body: 'GetIamPolicyRequest' },
  }),
  method('cloudresourcemanager', `POST v1/${P}:setIamPolicy`, 'policy.set', {
    ...{ permission: 'resourcemanager.projects.setIamPolicy', body: 'SetIamPolicyRequest' },
  }),

  method('serviceusage', `GET v1/${P}/services:batchGet`, 'apis.get', {
    ...{ permission: 'serviceusage.services.get', query: ['names!'] },
  }),
  method('serviceusage', `POST v1/${P}/services:batchEnable`, 'apis.enable', {
    ...{ permission: 'serviceusage.services.enable', body: 'BatchEnableServicesRequest' },
  }),
  method('serviceusage', 'GET v1/operations/*', 'operations.get'),

  method('logging', 'POST v2/entries:list', 'entries.list', {
    ...{ permission: 'logging.logEntries.list', body: 'ListLogEntriesRequest' },
  }),
];

/** The method of a request, and the parts of its path that are names. */
export function methodOf(service: string, verb: string, path: string) {
  for (const one of methods) {
    if (one.service !== service) continue;
    const [wanted, template] = one.call.split(' ') as [string, string];
    const pattern = template.replaceAll('*', '([^/:]+)');
    const parts = wanted === verb ? new RegExp(`^${pattern}$`).exec(path) : null;
    if (parts !== null) return { method: one, names: parts.slice(1) };
  }
  return undefined;
}
