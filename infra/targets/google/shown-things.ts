/** Things that a deployment makes in Google Cloud, as people may see them: secrets are names with sizes. Pure. */
import { type GoogleApp, secretVariables } from './google-app.ts';
import { accountDescription, accountEmail, ownLabels, registryOf, secretId } from './place.ts';
import { imageName, labelsOf, serviceTemplate } from './service-template.ts';

export function shownThings(app: GoogleApp, project: string): object[] {
  const { settings, name } = app;
  const { region, repository } = settings;
  const template = serviceTemplate(app, project, imageName(app, project), {});
  return [
    {
      kind: 'Repository',
      name: registryOf({ project, region, repository, app: name }),
      format: 'DOCKER',
    },
    ...(settings.serviceAccount === ''
      ? [
          {
            kind: 'ServiceAccount',
            name: accountEmail({ project, app: name }),
            description: accountDescription(name),
          },
        ]
      : []),
    ...secretVariables(app).map((variable) => ({
      kind: 'Secret',
      name: secretId(name, variable),
      labels: ownLabels(name),
      value: shownValue(app.secrets[variable]),
    })),
    {
      kind: 'Service',
      name: `projects/${project}/locations/${region}/services/${name}`,
      labels: labelsOf(app),
      ingress: 'INGRESS_TRAFFIC_ALL',
      template: JSON.parse(JSON.stringify(template)),
      isPublic: settings.public,
    },
  ];
}

function shownValue(text: string | undefined): string {
  return text === undefined ? '(generated)' : `(${Buffer.byteLength(text)} bytes)`;
}
