/** Everything of the stand-in but Cloud Run: repositories, secrets, accounts, policies, APIs, logs. */

import { checkLabels, found, getPolicy, type Handler, operate, operationOf, pageOf, setPolicy } from './handler.ts';
import { Refused } from './state.ts';

const repositoryOf = ([project, location, id]: readonly string[]) =>
  `projects/${project}/locations/${location}/repositories/${id}`;
const secretOf = ([project, id]: readonly string[]) => `projects/${project}/secrets/${id}`;
const accountOf = ([project, email]: readonly string[]) => `projects/${project}/serviceAccounts/${email}`;

export const others: Readonly<Record<string, Handler>> = {
  'artifactregistry repositories.get': ({ state, names }) => found(state.repositories, repositoryOf(names)),
  'artifactregistry repositories.create': ({ state, names, query, body }) => {
    const name = repositoryOf([...names, query.get('repositoryId')!]);
    if (state.repositories.has(name)) throw new Refused(409, 'ALREADY_EXISTS', 'the repository already exists');
    checkLabels(body.labels);
    return operate(state, `projects/${names[0]}/locations/${names[1]}/`, () => {
      const repository = { ...body, name, ...(state.registry === '' ? {} : { registryUri: state.registry }) };
      state.repositories.set(name, repository);
      return { response: repository };
    });
  },
  'artifactregistry repositories.delete': ({ state, names }) => {
    found(state.repositories, repositoryOf(names));
    return operate(state, `projects/${names[0]}/locations/${names[1]}/`, () => {
      state.repositories.delete(repositoryOf(names));
      for (const one of [...state.packages]) if (one.startsWith(`${repositoryOf(names)}/`)) state.packages.delete(one);
      return { response: {} };
    });
  },
  'artifactregistry packages.list': ({ state, names, query }) =>
    pageOf(
      'packages',
      [...state.packages].filter((name) => name.startsWith(`${repositoryOf(names)}/`)).map((name) => ({ name })),
      query,
    ),
  'artifactregistry packages.delete': ({ state, names }) =>
    operate(state, `projects/${names[0]}/locations/${names[1]}/`, () => {
      state.packages.delete(`${repositoryOf(names)}/packages/${names[3]}`);
      return { response: {} };
    }),
  'artifactregistry operations.get': ({ state, names }) =>
    operationOf(state, `projects/${names[0]}/locations/${names[1]}/operations/${names[2]}`),

  'secretmanager secrets.list': ({ state, query }) => {
    const wanted = [...(query.get('filter') ?? '').matchAll(/labels\.(\w+)=([\w-]+)/g)];
    const secrets = [...state.secrets.values()].filter(({ labels }) =>
      wanted.every(([, key, value]) => labels?.[key!] === value),
    );
    return pageOf('secrets', secrets, query);
  },
  'secretmanager secrets.get': ({ state, names }) => found(state.secrets, secretOf(names)),
  'secretmanager secrets.create': ({ state, names, query, body }) => {
    const id = query.get('secretId')!;
    const name = secretOf([...names, id]);
    if (state.secrets.has(name)) throw new Refused(409, 'ALREADY_EXISTS', `Secret [${name}] already exists.`);
    if (!/^[A-Za-z0-9_-]{1,255}$/.test(id)) throw new Refused(400, 'INVALID_ARGUMENT', `bad secretId ${id}`);
    checkLabels(body.labels);
    const secret = { ...body, name, createTime: new Date().toISOString() };
    state.secrets.set(name, secret);
    state.versions.set(name, []);
    return secret;
  },
  'secretmanager secrets.delete': ({ state, names }) => {
    found(state.secrets, secretOf(names));
    state.secrets.delete(secretOf(names));
    state.versions.delete(secretOf(names));
    return {};
  },
  'secretmanager versions.add': ({ state, names, body }) => {
    const versions = found(state.versions, secretOf(names));
    const text = Buffer.from(body.payload.data, 'base64').toString();
    if (text === '' || Buffer.byteLength(text) > 65_536)
      throw new Refused(400, 'INVALID_ARGUMENT', 'Secret Payload must be 1 to 65536 bytes');
    versions.push(text);
    return { name: `${secretOf(names)}/versions/${versions.length}`, state: 'ENABLED' };
  },
  'secretmanager versions.list': ({ state, names, query }) => {
    const versions = found(state.versions, secretOf(names)).flatMap((text, at) =>
      text === undefined ? [] : [{ name: `${secretOf(names)}/versions/${at + 1}`, state: 'ENABLED' }],
    );
    return pageOf('versions', versions, query);
  },
  'secretmanager versions.access': ({ state, names }) => {
    const versions = found(state.versions, secretOf(names));
    const number = names[2] === 'latest' ? versions.length : Number(names[2]);
    const text = versions[number - 1];
    if (number === 0 || number > versions.length) throw new Refused(404, 'NOT_FOUND', 'no such version');
    if (text === undefined) throw new Refused(400, 'FAILED_PRECONDITION', 'the version is in DESTROYED state');
    return { name: `${secretOf(names)}/versions/${number}`, payload: { data: Buffer.from(text).toString('base64') } };
  },
  'secretmanager versions.destroy': ({ state, names }) => {
    found(state.versions, secretOf(names))[Number(names[2]) - 1] = undefined;
    return { state: 'DESTROYED' };
  },
  'secretmanager policy.get': ({ state, names }) => getPolicy(state, secretOf(names)),
  'secretmanager policy.set': ({ state, names, body }) => {
    found(state.secrets, secretOf(names));
    return setPolicy(state, secretOf(names), body.policy);
  },

  'iam accounts.get': ({ state, names }) => found(state.accounts, accountOf(names)),
  'iam accounts.create': ({ state, names, body }) => {
    const { accountId, serviceAccount } = body;
    if (!/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/.test(accountId))
      throw new Refused(400, 'INVALID_ARGUMENT', `bad accountId ${accountId}`);
    const email = `${accountId}@${names[0]}.iam.gserviceaccount.com`;
    const name = accountOf([names[0]!, email]);
    if (state.accounts.has(name))
      throw new Refused(409, 'ALREADY_EXISTS', `Service account ${accountId} already exists`);
    const account = { ...serviceAccount, name, email };
    state.accounts.set(name, account);
    return account;
  },
  'iam accounts.delete': ({ state, names }) => {
    found(state.accounts, accountOf(names));
    state.accounts.delete(accountOf(names));
    return {};
  },
  'iam test': ({ state, body }) => ({ permissions: body.permissions.filter((one: string) => !state.denied.has(one)) }),
  'cloudresourcemanager test': ({ state, body }) => ({
    permissions: body.permissions.filter((one: string) => !state.denied.has(one)),
  }),
  'cloudresourcemanager policy.get': ({ state, names }) => getPolicy(state, `projects/${names[0]}`),
  'cloudresourcemanager policy.set': ({ state, names, body }) => setPolicy(state, `projects/${names[0]}`, body.policy),

  'serviceusage apis.get': ({ state, query }) => ({
    services: query.getAll('names').map((name) => ({
      name,
      state: state.apisOff.has(name.split('/').at(-1)!.replace('.googleapis.com', '')) ? 'DISABLED' : 'ENABLED',
    })),
  }),
  'serviceusage apis.enable': ({ state, body }) =>
    operate(state, '', () => {
      for (const id of body.serviceIds) state.apisOff.delete(id.replace('.googleapis.com', ''));
      return { response: {} };
    }),
  'serviceusage operations.get': ({ state, names }) => operationOf(state, `operations/${names[0]}`),

  'logging entries.list': ({ state, body }) => {
    const filter: string = body.filter;
    const of = (pattern: RegExp) => pattern.exec(filter)?.[1];
    const since = of(/timestamp>="([^"]+)"/);
    const revision = of(/revision_name="([^"]+)"/);
    const service = of(/service_name="([^"]+)"/);
    const entries = state.logs
      .filter(({ resource, timestamp }) => {
        const { labels } = resource;
        return (
          labels.service_name === service &&
          (revision === undefined || labels.revision_name === revision) &&
          (since === undefined || timestamp >= since)
        );
      })
      .toSorted((one, other) => (one.timestamp < other.timestamp ? -1 : 1));
    if (body.orderBy === 'timestamp desc') entries.reverse();
    const at = Number(body.pageToken ?? 0);
    const size = body.pageSize ?? 50;
    return {
      entries: entries.slice(at, at + size),
      ...(at + size < entries.length ? { nextPageToken: String(at + size) } : {}),
    };
  },
};
