/** Parts of the address of a document database. */

/** The database an address names; undefined when it names none. */
export function databaseOf(uri: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}

/** Shows the address to people: database and hosts, without user and password. */
export function shownAddress({
  docdbUri,
  docdbName,
}: {
  readonly docdbUri: string;
  readonly docdbName: string;
}): string {
  const hosts = /^mongodb(?:\+srv)?:\/\/(?:[^/]*@)?([^/?]+)/.exec(docdbUri)?.[1] ?? '?';
  return `${databaseOf(docdbUri) ?? docdbName} at ${hosts}`;
}
