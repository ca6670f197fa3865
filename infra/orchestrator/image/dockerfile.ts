import { neverDeployed } from '../bundle/app-files.ts';
import { appDirectory, commandLine, type Texts } from '../deployment.ts';

export interface DockerfileInput {
  /** Name of the base image with its digest. */
  readonly baseImage: string;
  /** The application file below the application directory. */
  readonly entry: string;
  readonly port: number;
  /** Plain environment of the deployment: what of it is for npm holds while packages are installed. */
  readonly env: Texts;
}

/** The recipe of the image (docs/server/orchestrator.md#images): packages in a stage of their own, whose cache stays behind. */
export function dockerfile({ baseImage, entry, port, env }: DockerfileInput): string {
  const settings = Object.entries(env).filter(([name]) => /^npm_config_/i.test(name));
  return `FROM ${baseImage} AS packages
WORKDIR ${appDirectory}
COPY package.json package-lock.json ./
${settings.map(([name, value]) => `ENV ${name}=${dockerText(value)}\n`).join('')}RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --no-update-notifier

FROM ${baseImage}
ENV NODE_ENV=production SVC_ENV=production
WORKDIR ${appDirectory}
COPY --from=packages ${appDirectory}/node_modules ./node_modules
COPY . .
RUN mkdir -p .svc storage && chown 10001:10001 .svc storage
USER 10001:10001
EXPOSE ${port}
ENTRYPOINT ${JSON.stringify(['node', commandLine])}
CMD ${JSON.stringify(['start', entry, '--host', '0.0.0.0', '--port', String(port)])}
`;
}

function dockerText(text: string): string {
  return `"${text.replace(/[\\"$]/g, (sign) => `\\${sign}`)}"`;
}

/** Ours come last, so that nothing before them brings back what they exclude. */
export function dockerignore(own = ''): string {
  const lines = [...neverDeployed, ...neverDeployed.map((pattern) => `**/${pattern}`)];
  return `${own === '' || own.endsWith('\n') ? own : `${own}\n`}${lines.join('\n')}\n`;
}
