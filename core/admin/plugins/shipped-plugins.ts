import type { PluginNeeds } from '@keyhost/spi';
import type { PluginEntry } from '../../config/plugins-file.js';

/** A plugin package that the project publishes, described without loading it. */
export interface ShippedPlugin {
  readonly module: string;
  readonly title: string;
  /** One sentence for an operator who looks for a plugin. */
  readonly purpose: string;
  /** The rights that it needs, as in its own declaration. */
  readonly needs?: PluginNeeds;
  /** Its providers as `spi/id`. */
  readonly provides: readonly string[];
  /** An example of the configuration in plugins.json, if the plugin requires one. */
  readonly config?: PluginEntry['config'];
}

/** The packages in the folder `providers`, by title. A test compares them with the packages themselves. */
export const SHIPPED_PLUGINS: readonly ShippedPlugin[] = [
  {
    module: '@keyhost/bcrypt',
    title: 'bcrypt',
    purpose: 'Users whose passwords another system hashed with bcrypt sign in with them.',
    provides: ['password-hashing/bcrypt'],
  },
  {
    module: '@keyhost/books',
    title: 'Books (example)',
    purpose: 'An example of a gRPC service: books and authors.',
    provides: ['grpc-service/books'],
  },
  {
    module: '@keyhost/breached-passwords',
    title: 'Breached passwords',
    purpose: 'Rejects new passwords that are known from data breaches.',
    provides: ['password-policy/breachedPasswords'],
  },
  {
    module: '@keyhost/captcha',
    title: 'Captcha',
    purpose: 'Protects registration and login against robots by a proof of work, without a third party.',
    provides: ['form-action/registration-altcha-action', 'authenticator/login-altcha-action'],
  },
  {
    module: '@keyhost/duo',
    title: 'Duo',
    purpose: 'Asks for the Universal Prompt of Duo as the second factor.',
    provides: ['authenticator/duo-universal'],
  },
  {
    module: '@keyhost/email-otp',
    title: 'Email OTP',
    purpose: 'Mails users a code, as the only or the second factor.',
    needs: {
      'send-mail': 'It mails the codes to the users.',
      'view-users': 'It finds users by their email address.',
    },
    provides: ['authenticator/ext-email-otp'],
  },
  {
    module: '@keyhost/events-to-postgres',
    title: 'Events in PostgreSQL',
    purpose: 'Stores the events of realms in a PostgreSQL table of your own, for reports and audits.',
    provides: ['eventsStore/postgres'],
    config: {
      'eventsStore/postgres': {
        host: 'db.example.com',
        database: 'audit',
        username: 'keyhost',
        password: '${env.AUDIT_DATABASE_PASSWORD}',
      },
    },
  },
  {
    module: '@keyhost/external-app-notification',
    title: 'Links to applications (example)',
    purpose: 'Exchanges a followed action link for an access token with a narrow scope.',
    provides: ['action-token-handler/external-app-notification'],
  },
  {
    module: '@keyhost/home-idp-discovery',
    title: 'Home IdP discovery',
    purpose: 'Forwards users to the identity provider of their email domain.',
    needs: {
      'view-identity-providers': 'It reads which identity provider is responsible for which domains.',
      'view-users': 'It finds users by their email address, and the identity providers that they are linked to.',
    },
    provides: ['authenticator/home-idp-discovery'],
  },
  {
    module: '@keyhost/login-notice',
    title: 'Login notice',
    purpose: 'Mails users when they sign in from a new device or network.',
    needs: { 'send-mail': 'It tells users of sign-ins from new devices and networks.' },
    provides: ['authenticator/login-notice'],
  },
  {
    module: '@keyhost/magic-link',
    title: 'Magic link',
    purpose: 'Mails users a link that signs them in, without a password.',
    needs: {
      'issue-login-links': 'Its links sign users in.',
      'send-mail': 'It mails the links to the users.',
      'view-users': 'It finds users by their email address.',
      'manage-users':
        'It creates users for new addresses if a flow says so, and marks the address of a link as verified.',
    },
    provides: ['authenticator/ext-magic-form'],
  },
  {
    module: '@keyhost/newsletter',
    title: 'Newsletter links (example)',
    purpose: 'Issues action links for one item of a newsletter, with a page in the admin console.',
    provides: ['realm-restapi-extension/newsletter', 'admin-page/newsletter-links'],
  },
  {
    module: '@keyhost/organizations',
    title: 'Organizations',
    purpose: 'Adds organizations with members, roles, invitations and a claim of tokens.',
    needs: {
      'view-users': 'It finds the account that an invitation is for.',
      'send-mail': 'It mails invitations to users.',
      'mail-any-address': 'It mails invitations to people who have no account yet.',
    },
    provides: [
      'realm-restapi-extension/orgs',
      'realm-restapi-extension/users',
      'protocol-mapper/oidc-organization-role-mapper',
      'protocol-mapper/oidc-organization-attribute-mapper',
      'action-token-handler/organization-invitation',
      'required-action/invitation-required-action',
      'events-listener/organizations',
    ],
  },
  {
    module: '@keyhost/pin-code',
    title: 'PIN',
    purpose: 'Asks users for a PIN that they chose, as the second factor.',
    provides: ['credential/pin-code', 'authenticator/pin-code-form', 'required-action/pin-code-setup'],
  },
  {
    module: '@keyhost/pkcs11',
    title: 'Keys in an HSM (PKCS#11)',
    purpose: 'Signs tokens with keys that never leave a hardware security module.',
    provides: ['keys/pkcs11'],
    config: {
      'keys/pkcs11': {
        library: '/usr/lib/softhsm/libsofthsm2.so',
        realms: { 'my-realm': { token: 'my-token', pin: '${env.HSM_PIN}' } },
      },
    },
  },
  {
    module: '@keyhost/scheduled-cleanup',
    title: 'Cleanup of inactive users',
    purpose: 'Warns users who have not signed in for a long time, then disables or deletes them.',
    needs: {
      'view-users': 'It looks for users who have not signed in for a long time.',
      'manage-users': 'It disables them, and deletes them if the realm says so.',
      'send-mail': 'It warns them before.',
    },
    provides: ['events-listener/scheduled-cleanup'],
  },
  {
    module: '@keyhost/trusted-device',
    title: 'Trusted devices',
    purpose: 'Skips the second factor on devices that users trust.',
    provides: [
      'authenticator/trusted-device-condition',
      'authenticator/trusted-device-authenticator',
      'events-listener/trusted-devices',
      'realm-restapi-extension/trusted-devices',
    ],
  },
  {
    module: '@keyhost/vault-hashicorp',
    title: 'HashiCorp Vault',
    purpose: 'Reads secrets of realms from HashiCorp Vault or OpenBao.',
    provides: ['vault/hashicorp'],
    config: {
      'vault/hashicorp': {
        url: 'https://vault.example.com:8200',
        appRole: { roleId: 'keyhost', secretId: '${env.VAULT_SECRET_ID}' },
      },
    },
  },
  {
    module: '@keyhost/webhooks',
    title: 'Webhooks',
    purpose: 'Posts the events of a realm to your addresses, signed, in order, and again until they arrive.',
    provides: ['events-listener/webhooks', 'realm-restapi-extension/webhooks'],
  },
];
