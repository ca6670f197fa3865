import { commandLine } from '../orchestrator/deployment.ts';
import { type MachineApp, releasesFolder, secretsFile } from './machine-app.ts';

/**
 * Unit for systemd. It takes from the process all that a server does not need (`systemd-analyze security`). Memory that is both written
 * and run stays allowed: the engine of JavaScript compiles.
 */
export function systemdUnit(app: MachineApp): string {
  const variables = { NODE_ENV: 'production', SVC_ENV: 'production', ...app.env };
  const environment = Object.entries(variables).map(([name, text]) => `Environment=${quoted(`${name}=${text}`)}`);
  return `# Written by svc build --target machine.
[Unit]
Description=${app.name} ${app.version}
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=60
StartLimitBurst=6

[Service]
Type=exec
User=${app.name}
Group=${app.name}
WorkingDirectory=${releasesFolder(app)}/current
${environment.join('\n')}
EnvironmentFile=${secretsFile(app)}
ExecStart=/usr/bin/node ${commandLine} start ${quoted(app.entry)} --host 127.0.0.1 --port ${app.port}
Restart=always
RestartSec=2
RestartPreventExitStatus=2 3 7
KillSignal=SIGTERM
TimeoutStopSec=${app.stopSeconds}
StateDirectory=${app.name}
StateDirectoryMode=0750
LimitNOFILE=65536
UMask=0077

NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
DevicePolicy=closed
PrivateUsers=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** A value as units read it: quoted, without the specifiers that begin with %. */
function quoted(text: string): string {
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w./=:,@+%$-]+$/.test(plain) ? plain : `"${plain.replace(/[\\"]/g, (sign) => `\\${sign}`)}"`;
}
