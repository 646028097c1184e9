import { type CredentialDeclaration, CredentialProvider, HostError, type Plugin, provide } from '@keyhost/spi';

/** Keycloak's credential types, with the declarations of its providers. */
const TYPES: Readonly<Record<string, Omit<CredentialDeclaration, 'describe'>>> = {
  password: {
    category: 'basic-authentication',
    createAction: 'UPDATE_PASSWORD',
    removable: false,
    single: true,
    iconCssClass: 'kcAuthenticatorPasswordClass',
  },
  otp: { category: 'two-factor', createAction: 'CONFIGURE_TOTP', iconCssClass: 'kcAuthenticatorOTPClass' },
  webauthn: {
    category: 'two-factor',
    createAction: 'webauthn-register',
    iconCssClass: 'kcAuthenticatorWebAuthnClass',
  },
  'webauthn-passwordless': {
    category: 'passwordless',
    createAction: 'webauthn-register-passwordless',
    iconCssClass: 'kcAuthenticatorWebAuthnPasswordlessClass',
  },
  'recovery-authn-codes': {
    category: 'two-factor',
    createAction: 'CONFIGURE_RECOVERY_AUTHN_CODES',
    single: true,
    iconCssClass: 'kcAuthenticatorRecoveryAuthnCodesClass',
  },
};

/** Never called: the authenticators and required actions of each type create and check its credentials. */
const notSupported = async (): Promise<never> => {
  throw new HostError('not_supported', 'The steps and actions of this type make and check its credentials');
};

/** The built-in credential types as providers. They only describe the types and the actions that create credentials. */
export const builtInCredentialTypes: Plugin = {
  name: 'keyhost-credentials',
  api: 1,
  providers: Object.entries(TYPES).map(([type, declaration]) =>
    provide(CredentialProvider, {
      ...declaration,
      id: `keycloak-${type}`,
      describe: { displayName: `${type}-display-name`, helpText: `${type}-help-text` },
      open: () => ({ create: () => ({ create: notSupported, verify: notSupported }) }),
    }),
  ),
};
