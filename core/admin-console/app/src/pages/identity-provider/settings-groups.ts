import { useQuery } from '@tanstack/react-query';
import { flowNames } from '../../api/flows.ts';
import { type IdentityProviderKind, serverInfo } from '../../api/server-info.ts';
import { useTexts } from '../../messages/language.tsx';
import type { ShownProperty } from '../../parts/config-values.ts';
import type { ProviderValues } from './provider-values.ts';
import { texts as providerTexts } from './texts.ts';

interface Group {
  readonly title: string;
  readonly properties: readonly ShownProperty[];
}

/** Authentication methods with a JWT, whose algorithm and audience can be chosen. */
const JWT_METHODS = ['client_secret_jwt', 'private_key_jwt'];

/** The settings of a provider in groups. Settings without effect for the current values are left out. */
export function useSettingsGroups(
  realm: string,
  kind: IdentityProviderKind | undefined,
  values: ProviderValues,
): readonly Group[] {
  const { fields, help, options, groups } = useTexts(providerTexts);
  const { data: flows } = useQuery(flowNames(realm));
  const { data: host } = useQuery(serverInfo());
  type Name = keyof typeof fields;
  const helpTexts: Partial<Record<string, string>> = help;
  const field = (name: Name, type = 'String', more: Partial<ShownProperty> = {}): ShownProperty => {
    const helpText = helpTexts[name];
    return { name, label: fields[name], type, ...(helpText === undefined ? {} : { helpText }), ...more };
  };
  const check = (name: Name) => field(name, 'boolean');
  const list = (name: Name, optionLabels: Readonly<Record<string, string>>) =>
    field(name, 'List', { options: Object.keys(optionLabels), optionLabels });
  const flow = (name: Name, none: string) =>
    flows === undefined ? field(name) : list(name, { '': none, ...Object.fromEntries(flows.map((one) => [one, one])) });
  const general = { title: groups.general, properties: [check('enabled'), field('displayName'), field('guiOrder')] };
  if (kind === undefined) return [{ title: groups.general, properties: general.properties.slice(0, 2) }];
  const usesJwt = JWT_METHODS.includes(values.clientAuthMethod ?? '');
  const algorithms = host?.cryptoInfo;
  const signingAlgorithms =
    values.clientAuthMethod === 'private_key_jwt'
      ? algorithms?.clientSignatureAsymmetricAlgorithms
      : algorithms?.clientSignatureSymmetricAlgorithms;
  const addresses = [
    field('authorizationUrl', 'String', { required: true }),
    field('tokenUrl', 'String', { required: true }),
    field('logoutUrl'),
    ...(values.disableUserInfo === 'true' ? [] : [field('userInfoUrl')]),
    field('issuer'),
    ...(values.validateSignature !== 'true' ? [] : [values.useJwksUrl === 'true' ? field('jwksUrl') : keyField()]),
    check('disableUserInfo'),
    check('validateSignature'),
    ...(values.validateSignature === 'true' ? [check('useJwksUrl')] : []),
  ];
  const hasAddresses = kind.groupName !== 'Social';
  return [
    general,
    {
      title: groups.connection,
      properties: [
        field('clientId', 'String', { required: true }),
        field('clientSecret', 'String', { secret: true }),
        ...(hasAddresses ? [list('clientAuthMethod', options.clientAuthMethod)] : []),
        ...(usesJwt
          ? [
              list('clientAssertionSigningAlg', {
                '': options.algorithm,
                ...Object.fromEntries((signingAlgorithms ?? []).map((one) => [one, one])),
              }),
              field('clientAssertionAudience'),
            ]
          : []),
        ...(hasAddresses ? [list('pkce', options.pkce), ...addresses] : []),
      ],
    },
    {
      title: groups.advanced,
      properties: [
        field('defaultScope'),
        list('syncMode', options.syncMode),
        flow('firstBrokerLoginFlowAlias', options.firstFlow),
        flow('postBrokerLoginFlowAlias', options.noFlow),
        ...(hasAddresses ? [list('prompt', options.prompt), field('allowedClockSkew')] : []),
        ...(['trustEmail', 'linkOnly', 'hideOnLogin', 'storeToken'] as const).map(check),
        ...(values.storeToken === 'true' ? [check('addReadTokenRoleOnCreate')] : []),
        ...(hasAddresses ? (['loginHint', 'passMaxAge', 'uiLocales', 'disableNonce'] as const).map(check) : []),
      ],
    },
  ];

  function keyField() {
    return field('publicKeySignatureVerifier', 'Text');
  }
}
