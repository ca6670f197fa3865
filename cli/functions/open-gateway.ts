import { openManagementApi } from '../../adapters/hosts/lambda/management-api.ts';
import type { PostToConnection } from '../../handlers/socket/post-to-connection.ts';

/** The management interface of the API an event came from; `SVC_MANAGEMENT_ENDPOINT` where no event says it, and for emulators. */
export function openGateway(domain: string, stage: string): PostToConnection {
  return openManagementApi(
    process.env['SVC_MANAGEMENT_ENDPOINT'] || `https://${domain}/${stage}`,
    process.env['AWS_REGION'],
  );
}
