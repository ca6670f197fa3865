/** `DEPLOY.md` beside the archives for other function platforms: the steps from there to an address (docs/guide/deploy/other-functions.md). */
import type { OtherGateway } from './gateways.ts';

export interface PlatformApp {
  readonly name: string;
  /** Below it the functions of AWS find their secrets. */
  readonly stack: string;
  /** Version of Node that the archive is made for, `22`. */
  readonly node: string;
  /** Names of variables whose values are in no file. */
  readonly secrets: readonly string[];
}

export function platformSteps(platform: OtherGateway | 'azure', app: PlatformApp): string {
  const name = { 'aws-v1': 'a REST API of API Gateway', alb: 'an Application Load Balancer', azure: 'Azure Functions' };
  return `# ${app.name} behind ${name[platform]}

Written by \`svc build --target function --platform ${platform}\`. Calls and webhooks are served; sockets are not, and a stream is one answer at its end.

${platform === 'azure' ? azureSteps(app) : awsSteps(platform, app)}`;
}

function awsSteps(platform: OtherGateway, { name, stack, secrets }: PlatformApp): string {
  const listener = platform === 'alb' ? 'export ALB_LISTENER_ARN=arn:aws:elasticloadbalancing:…:listener/app/…\n' : '';
  const address = {
    'aws-v1': 'The address that osls prints ends in the stage, `…amazonaws.com/prod`: paths come behind it.',
    alb: 'The address is that of the load balancer. The rule takes every path of the listener; `priority` and `conditions` in `serverless.yml` say so.',
  };
  return `\`\`\`sh
${secrets.map((secret) => `aws ssm put-parameter --type SecureString --name /${stack}/${secret} --value "…"\n`).join('')}${listener}npx osls deploy        # in this folder
\`\`\`

${address[platform]} \`http.zip\` is the function, \`serverless.yml\` its deployment with the table of ${name}.
`;
}

function azureSteps({ name, node, secrets }: PlatformApp): string {
  return `\`\`\`sh
az group create --name ${name} --location westeurope
az storage account create --resource-group ${name} --name STORAGE --sku Standard_LRS
az functionapp create --resource-group ${name} --name APP --storage-account STORAGE \\
  --flexconsumption-location westeurope --runtime node --runtime-version ${node}
az functionapp config appsettings set --resource-group ${name} --name APP --settings \\
  AzureWebJobsDisableHomepage=true ${secrets.map((secret) => `${secret}="…"`).join(' ')}
az functionapp deployment source config-zip --resource-group ${name} --name APP --src azure.zip
\`\`\`

The application is at https://APP.azurewebsites.net. The host keeps paths below \`/admin\` and \`/runtime\` for itself.
`;
}
