import { type CredentialDeclaration, CredentialProvider, HostError, type Plugin, provide } from '@keyhost/spi';

/** Keycloak's providers of credentials, by their types, with what Keycloak says of each. */
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

/** The work is done by the steps and actions of each type. */
const elsewhere = async (): Promise<never> => {
  throw new HostError('not_supported', 'The steps and actions of this type make and check its credentials');
};

/** Keyhost's own types of credentials, through the same SPI as anyone's: what they are, and where each is made. */
export const builtInCredentialTypes: Plugin = {
  name: 'keyhost-credentials',
  api: 1,
  providers: Object.entries(TYPES).map(([type, declaration]) =>
    provide(CredentialProvider, {
      ...declaration,
      id: `keycloak-${type}`,
      describe: { displayName: `${type}-display-name`, helpText: `${type}-help-text` },
      open: () => ({ create: () => ({ create: elsewhere, verify: elsewhere }) }),
    }),
  ),
};
