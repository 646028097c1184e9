import { qrCode } from '../../core/login/steps/otp/otp-address.js';
import type { PageContent, PageOptions } from '../../core/pages/page-writer.js';

export interface SamplePage {
  readonly content: PageContent;
  /** Represents the client by its ID. */
  readonly clientId?: string;
  readonly status?: number;
  readonly extra?: PageOptions;
}

const ACTION = '/realms/demo/login-actions/authenticate?session_code=x&tab_id=y';
const LOGIN = { page: 'login', action: ACTION, username: '', usernameEditable: true, rememberMe: false } as const;

/** Every page of the login, in all its visually different states. */
export const SAMPLE_PAGES = {
  login: {
    content: { ...LOGIN, usernameLabel: { key: 'usernameOrEmail' } },
    clientId: 'web',
    extra: { formTargets: ['http://127.0.0.1:9999/cb'] },
  },
  'login-failed': {
    content: { ...LOGIN, username: 'alice', rememberMe: true, usernameLabel: { key: 'username' } },
    extra: { message: { key: 'invalidUserMessage', severity: 'error' } },
  },
  'login-again': {
    content: {
      ...LOGIN,
      username: 'alice',
      usernameEditable: false,
      rememberMe: undefined,
      usernameLabel: { key: 'email' },
    },
    extra: { message: { key: 'reauthenticate', severity: 'info' } },
  },
  'login-name': {
    content: { ...LOGIN, password: false, usernameLabel: { key: 'usernameOrEmail' }, registrationUrl: '/register' },
    clientId: 'web',
  },
  'login-elsewhere': {
    content: {
      ...LOGIN,
      rememberMe: undefined,
      usernameLabel: { key: 'usernameOrEmail' },
      resetUrl: '/reset',
      identityProviders: [
        { alias: 'partner', displayName: 'Partner & <b>Söhne</b>', url: '/realms/demo/broker/partner/login?tab_id=y' },
        {
          alias: 'long',
          displayName: `A provider of a ${'very '.repeat(12)}long name`,
          url: '/realms/demo/broker/long/login',
        },
      ],
    },
  },
  consent: {
    content: {
      page: 'consent',
      action: '/realms/demo/login-actions/consent',
      username: 'alice',
      scopes: [
        { key: '${profileScopeConsentText}', description: { key: 'profileScopeConsentHelp' } },
        { key: '${emailScopeConsentText}' },
        { key: 'Read your mail', description: { key: 'All of it.' } },
      ],
    },
    clientId: 'web',
    extra: { formTargets: ['http://127.0.0.1:9999/cb'] },
  },
  'consent-device': {
    content: {
      page: 'consent',
      action: '/realms/demo/login-actions/consent',
      scopes: [{ key: '${profileScopeConsentText}' }],
      userCode: 'WDJB-MJHT',
    },
    clientId: 'web',
  },
  'consent-nothing': {
    content: { page: 'consent', action: '/realms/demo/login-actions/consent', scopes: [], userCode: 'WDJB-MJHT' },
    clientId: 'web',
  },
  error: {
    content: { page: 'error', backUrl: 'https://app.example.test/' },
    status: 400,
    extra: { message: { key: 'invalidParameterMessage', params: ['redirect_uri'], severity: 'error' } },
  },
  info: {
    content: { page: 'info', title: { key: 'alreadyLoggedIn' }, continueUrl: 'https://app.example.test/' },
    extra: { message: { key: 'accountUpdatedMessage', severity: 'success' } },
  },
  'page-expired': {
    content: { page: 'page-expired', restartUrl: '/realms/demo/restart', continueUrl: '/realms/demo/continue' },
    extra: { message: { key: 'loginTimeout', severity: 'warning' } },
  },
  confirm: {
    content: {
      page: 'confirm',
      title: { key: 'logoutConfirmTitle' },
      text: { key: 'logoutConfirmHeader' },
      submit: { key: 'doLogout' },
      submitName: 'confirmLogout',
      action: '/realms/demo/protocol/openid-connect/logout/logout-confirm',
      fields: [['session_code', 'abc']],
    },
  },
  'form-post': {
    content: {
      page: 'form-post',
      action: 'http://127.0.0.1:9999/cb',
      fields: [
        ['code', 'a"b'],
        ['submit', 'hides the method of the form'],
      ],
    },
  },
  'frontchannel-logout': {
    content: {
      page: 'frontchannel-logout',
      logouts: [
        { name: 'Mail', url: 'http://127.0.0.1:9999/logout?sid=1' },
        { name: 'Calendar', url: 'http://127.0.0.1:9998/logout' },
      ],
      continueUrl: 'http://127.0.0.1:9999/bye',
    },
  },
  form: {
    content: {
      page: 'form',
      title: { key: 'Verify it is you' },
      text: { key: 'We sent a code to a…@example.test.' },
      action: '/realms/demo/login-actions/required-action',
      fields: [
        { name: 'execution', label: { key: '' }, type: 'hidden', value: 'e1' },
        {
          name: 'otp',
          label: { key: 'One-time code' },
          type: 'text',
          value: '12',
          autocomplete: 'one-time-code',
          inputmode: 'numeric',
          required: true,
          error: { key: 'Invalid authenticator code.' },
        },
        { name: 'password-new', label: { key: 'password' }, type: 'password', autocomplete: 'new-password' },
        { name: 'mail', label: { key: 'email' }, type: 'email', value: 'alice@example.test', autocomplete: 'email' },
        { name: 'trust', label: { key: 'Trust this browser' }, type: 'checkbox' },
      ],
      submit: { key: 'doSubmit' },
      cancel: { key: 'doCancel' },
    },
  },
  'login-forgotten': {
    content: { ...LOGIN, usernameLabel: { key: 'usernameOrEmail' }, resetUrl: '/realms/demo/forgotten' },
    extra: { message: { key: 'emailSentMessage', severity: 'success' } },
  },
  'confirm-actions': {
    content: {
      page: 'confirm',
      title: { key: 'executeActionsSubject' },
      text: { key: 'confirmExecutionOfActions', params: ['alice'] },
      items: [{ key: 'requiredAction.UPDATE_PASSWORD' }, { key: 'requiredAction.CONFIGURE_TOTP' }],
      submit: { key: 'doContinue' },
      submitName: 'proceed',
      action: '/realms/demo/login-actions/action-token',
      fields: [['key', 'abc']],
    },
  },
  'update-password': {
    content: {
      page: 'form',
      title: { key: 'updatePasswordTitle' },
      text: { key: 'updatePasswordMessage' },
      action: '/realms/demo/login-actions/required-action',
      fields: [
        { name: 'password-new', label: { key: 'passwordNew' }, type: 'password', autocomplete: 'new-password' },
        {
          name: 'password-confirm',
          label: { key: 'passwordConfirm' },
          type: 'password',
          autocomplete: 'new-password',
          error: { key: 'notMatchPasswordMessage' },
        },
        { name: 'logout-sessions', label: { key: 'logoutOtherSessions' }, type: 'checkbox', value: 'on' },
      ],
      submit: { key: 'doSubmit' },
    },
  },
  'configure-totp': {
    content: {
      page: 'form',
      title: { key: 'loginTotpTitle' },
      text: { key: 'loginTotpText' },
      figure: {
        image: qrCode('otpauth://totp/Demo:alice?secret=OJVVCMTNLFYUQMLCLAYGGOK2OBGHON2U&digits=6&issuer=Demo'),
        alternative: { key: 'loginTotpImage' },
        text: 'OJVV CMTN LFYU QMLC LAYG GOK2 OBGH ON2U',
      },
      action: '/realms/demo/login-actions/required-action',
      fields: [
        { name: 'totp', label: { key: 'loginOtpOneTime' }, type: 'text', inputmode: 'numeric', required: true },
        { name: 'userLabel', label: { key: 'loginTotpDeviceName' }, type: 'text', value: '' },
      ],
      submit: { key: 'doSubmit' },
      cancel: { key: 'doCancel' },
    },
  },
  'login-passkey': {
    content: {
      ...LOGIN,
      usernameLabel: { key: 'usernameOrEmail' },
      resetUrl: '/realms/demo/forgotten',
      webauthn: { call: 'get', options: '{"challenge":"AAAA","rpId":"localhost","allowCredentials":[]}' },
    },
    clientId: 'web',
  },
  passkey: {
    content: {
      page: 'form',
      title: { key: 'webauthn-login-title' },
      text: { key: 'webauthn-login-text' },
      action: ACTION,
      fields: [],
      webauthn: { call: 'get', options: '{"challenge":"AAAA","rpId":"localhost","allowCredentials":[]}' },
      submit: { key: 'webauthn-doAuthenticate' },
      otherWays: [
        { execution: '1.0.1', label: { key: 'otp-display-name' } },
        { execution: '1.0.2', label: { key: 'auth-recovery-authn-code-form-display-name' } },
      ],
    },
    extra: { message: { key: 'webauthn-error-cancelled', severity: 'error' } },
  },
  'recovery-codes': {
    content: {
      page: 'form',
      title: { key: 'recovery-code-config-header' },
      text: { key: 'recovery-code-config-warning-message' },
      codes: Array.from({ length: 12 }, () => 'ABCD-EFGH-IJKL'),
      action: '/realms/demo/login-actions/required-action',
      fields: [
        {
          name: 'confirmed',
          type: 'checkbox',
          label: { key: 'recovery-codes-confirmation-message' },
          required: true,
          error: { key: 'recovery-codes-unconfirmed' },
        },
      ],
      submit: { key: 'recovery-codes-action-complete' },
      cancel: { key: 'recovery-codes-action-cancel' },
    },
    extra: { message: { key: 'recovery-code-config-warning-title', severity: 'warning' } },
  },
  'user-code': {
    content: {
      page: 'form',
      title: { key: 'oauth2DeviceVerificationTitle' },
      text: { key: 'verifyOAuth2DeviceUserCode' },
      action: '/realms/demo/device',
      fields: [
        {
          name: 'device_user_code',
          label: { key: 'oauth2DeviceUserCode' },
          type: 'text',
          required: true,
          autocomplete: 'off',
          error: { key: 'oauth2DeviceInvalidUserCodeMessage' },
        },
      ],
      submit: { key: 'doSubmit' },
    },
  },
} as const satisfies Record<string, SamplePage>;

export type SampleName = keyof typeof SAMPLE_PAGES;
export const SAMPLE_NAMES = Object.keys(SAMPLE_PAGES) as SampleName[];
