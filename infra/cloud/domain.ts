/** The application's own name in front of the HTTP API. */
import type { Config } from '../../core/config/config.ts';
import type { Part } from './roles.ts';

/** None without a domain. `HttpApi` and its stage are what osls calls them. */
export function domainParts({ domain, certificateArn }: Config['scale']['cloud']): Readonly<Record<string, Part>> {
  if (domain === '') return {};
  return {
    Domain: {
      Type: 'AWS::ApiGatewayV2::DomainName',
      Properties: {
        DomainName: domain,
        DomainNameConfigurations: [{ CertificateArn: certificateArn, EndpointType: 'REGIONAL' }],
      },
    },
    DomainMapping: {
      Type: 'AWS::ApiGatewayV2::ApiMapping',
      DependsOn: 'HttpApiStage',
      Properties: { ApiId: { Ref: 'HttpApi' }, DomainName: { Ref: 'Domain' }, Stage: '$default' },
    },
  };
}

/** Gives the output with the target that a record of the name has to point to. */
export function domainOutputs({ domain }: Config['scale']['cloud']): Readonly<Record<string, Part>> {
  if (domain === '') return {};
  return { DomainTarget: { Value: { 'Fn::GetAtt': ['Domain', 'RegionalDomainName'] } } };
}
