import { spi } from '../plugin.js';

/**
 * A text by Keycloak's message key, from the realm's `localizationTexts`, the theme, or Keyhost itself. If none of them
 * has the key, the text is taken from `texts`, in the page's language or in English. Otherwise the key itself is shown.
 * The parameters replace `{0}`, `{1}` and so on. `{0,duration}` is replaced by a number of seconds in words, such as `5
 * minutes`. Two single quotes become one.
 */
export interface Message {
  /** The message key, such as `doLogIn`. */
  readonly key: string;
  /** The values of `{0}`, `{1}` and so on. */
  readonly params?: readonly string[];
  /** The plugin's own texts by language, such as `de`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** A message with a severity. */
export interface Notice extends Message {
  readonly severity: 'error' | 'warning' | 'info' | 'success';
}

/** The common data of all pages. */
export interface PageFrame {
  readonly realm: { readonly name: string; readonly displayName: string };
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
  /** URLs of the same page in other languages; empty if there is only one language. */
  readonly languages: readonly { readonly locale: string; readonly label: string; readonly url: string }[];
  readonly client?: {
    readonly clientId: string;
    readonly name: string;
    /** An image, which the content security policy of the pages `login` and `consent` allows. */
    readonly logoUri?: string;
    /** The application's privacy policy. */
    readonly policyUri?: string;
    /** The application's terms of service. */
    readonly tosUri?: string;
  };
  /** Files of a step's plugin, as absolute paths. A document that the theme renders runs no scripts. */
  readonly resources?: {
    readonly scripts: readonly string[];
    readonly styles: readonly string[];
    readonly workers: readonly string[];
  };
  /** The notice above the content: an error or a confirmation. */
  readonly message?: Notice;
}

/** One field of a `form` page. */
export interface PageField {
  readonly name: string;
  readonly label: Message;
  /**
   * `select` is a drop-down list; `choice` shows the same options as radio buttons or checkboxes. The others are HTML
   * input types.
   */
  readonly type:
    | 'text'
    | 'password'
    | 'email'
    | 'tel'
    | 'number'
    | 'url'
    | 'date'
    | 'time'
    | 'datetime-local'
    | 'textarea'
    | 'select'
    | 'choice'
    | 'checkbox'
    | 'hidden';
  readonly value?: string;
  /** Options for `select` and `choice`. */
  readonly options?: readonly { readonly value: string; readonly label: Message }[];
  /**
   * True: allows several values, one a line in `value` and in the submitted form. For `textarea`, `select` and
   * `choice`.
   */
  readonly multiple?: boolean;
  /** True: the user cannot change the value. */
  readonly readOnly?: boolean;
  readonly placeholder?: Message;
  /** A help text below the field. */
  readonly help?: Message;
  /** A heading above the field, which begins a group of fields. */
  readonly heading?: Message;
  /** https://html.spec.whatwg.org/#autofill, such as `one-time-code`. */
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric' | 'text' | 'email' | 'tel';
  readonly required?: boolean;
  readonly error?: Message;
}

/**
 * A call of the browser's Web Authentication API, which the page's script makes when its button is pressed. The result
 * is submitted as the field `credential`: the JSON text of a RegistrationResponseJSON or AuthenticationResponseJSON
 * (Web Authentication Level 3 §5.1). A failure is submitted as `error`: the name of the DOMException.
 */
export interface WebAuthnCall {
  /** The method of `navigator.credentials` to call. */
  readonly call: 'create' | 'get';
  /** JSON text of PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON. */
  readonly options: string;
}

/** An alternative step that the user may choose instead of the current one. */
export interface OtherWay {
  /** Submitted as the field `authenticationExecution`. */
  readonly execution: string;
  readonly label: Message;
}

/** A scope on the consent page: its name, and an explanation if the scope has one. */
export interface ConsentedScope extends Message {
  /** An explanation of the scope. */
  readonly description?: Message;
}

/** A page of the login; `page` is its purpose. Its URLs are absolute paths or absolute URLs, set by the host. */
export type Page = PageFrame &
  (
    | {
        readonly page: 'login';
        readonly action: string;
        readonly username: string;
        /** False: only this user can sign in. */
        readonly usernameEditable: boolean;
        /** False: the page asks only for the username. A later page asks for the password or another credential. */
        readonly password?: false;
        /** The state of the checkbox; undefined if the realm does not offer it. */
        readonly rememberMe: boolean | undefined;
        /** "Email", "Username" or "Username or email". */
        readonly usernameLabel: Message;
        /** The URL of the page for resetting a forgotten password, if the realm allows that. */
        readonly resetUrl?: string;
        /** The URL that restarts the login with another username, if the username was typed on an earlier page. */
        readonly restartUrl?: string;
        /** Offers a passkey in addition to the password: with a button, and when the browser fills in usernames. */
        readonly webauthn?: WebAuthnCall;
        readonly otherWays?: readonly OtherWay[];
        /** The identity providers that users can sign in with, in display order. */
        readonly identityProviders?: readonly {
          readonly alias: string;
          readonly displayName: string;
          readonly url: string;
        }[];
        /** The URL of the registration page, if the realm allows self-registration. */
        readonly registrationUrl?: string;
      }
    | {
        readonly page: 'consent';
        readonly action: string;
        /** The requested scopes. */
        readonly scopes: readonly ConsentedScope[];
        /** The signed-in user, who decides. */
        readonly username?: string;
        /** The user code of a device login, to be compared with the code on the device (RFC 8628 §3.3.1). */
        readonly userCode?: string;
      }
    /** An error page. `backUrl` is the application's own URL. */
    | { readonly page: 'error'; readonly backUrl?: string }
    | { readonly page: 'info'; readonly title: Message; readonly continueUrl?: string }
    | { readonly page: 'page-expired'; readonly restartUrl: string; readonly continueUrl: string }
    /** A form that is posted to `action` with one button; `fields` are hidden. */
    | {
        readonly page: 'confirm';
        readonly title: Message;
        readonly text: Message;
        readonly items?: readonly Message[];
        readonly submit: Message;
        readonly submitName: string;
        /** Buttons that replace the default one: each submits its value as the field `choice`. */
        readonly choices?: readonly { readonly value: string; readonly label: Message }[];
        readonly action: string;
        readonly fields: readonly (readonly [name: string, value: string])[];
      }
    /**
     * OAuth 2.0 Form Post Response Mode: posted to the application by a script, or by a button if scripts are disabled.
     */
    | {
        readonly page: 'form-post';
        readonly action: string;
        readonly fields: readonly (readonly [name: string, value: string])[];
      }
    /** Frames of the applications that sign out in the browser; then the browser continues to `continueUrl`, if set. */
    | {
        readonly page: 'frontchannel-logout';
        readonly logouts: readonly { readonly name: string; readonly url: string }[];
        readonly continueUrl?: string;
      }
    /** A page of an authentication step or required action: fields from top to bottom, then the button. */
    | {
        readonly page: 'form';
        readonly title: Message;
        readonly text?: Message;
        /** An image, such as a QR code, and its content as text. */
        readonly figure?: { readonly image: string; readonly alternative: Message; readonly text: string };
        /** Codes that are shown only once, numbered, with buttons to print, copy and save them. */
        readonly codes?: readonly string[];
        /** Called by the button before the form is submitted. */
        readonly webauthn?: WebAuthnCall;
        /** The URL that the page's script polls, every `interval` seconds, until the form can be submitted. */
        readonly poll?: { readonly url: string; readonly interval: number };
        readonly action: string;
        readonly fields: readonly PageField[];
        readonly submit: Message;
        readonly cancel?: Message;
        readonly otherWays?: readonly OtherWay[];
      }
  );

/** A mail. Texts are Keycloak's message keys, as on pages. */
export interface MailPage {
  readonly realm: { readonly name: string; readonly displayName: string };
  /** The language of the mail, a BCP 47 tag. */
  readonly locale: string;
  readonly subject: Message;
  /** Paragraphs before the link. */
  readonly before: readonly Message[];
  /** Absent in some mails of plugins. */
  readonly link?: { readonly label: Message; readonly url: string };
  /** Paragraphs after the link. */
  readonly after: readonly Message[];
}

/** The parts that a theme changes. The host's pages and mails have their default for all others. */
export interface ThemeProvider {
  /** Returns the whole HTML document of a page, or undefined to leave it to the host. The host sets every header. */
  render?(page: Page): Promise<string | undefined>;
  /** Returns CSS that is appended to the host's own, on the pages that the host renders. */
  styles?(): Promise<string>;
  /** Returns texts of a language by message key, which take precedence over the host's own. */
  messages?(locale: string): Promise<Readonly<Record<string, string>>>;
  /** Returns a mail as text and HTML, or undefined to leave it to the host, with the texts of `messages`. */
  mail?(
    page: MailPage,
  ): Promise<{ readonly subject: string; readonly text: string; readonly html: string } | undefined>;
}

/**
 * Keycloak's themes. A realm sets `loginTheme` for its pages and `emailTheme` for its mails. Without them, or with
 * `keycloak` or `base`, it uses the host's own. The account page uses the styles and messages of `accountTheme`, else
 * of `loginTheme`.
 * @example
 * ```ts
 * import { provide, Theme } from '@keyhost/spi';
 *
 * export default provide(Theme, {
 *   id: 'example',
 *   open: () => ({
 *     create: () => ({
 *       styles: async () => 'body { font-family: serif }',
 *       messages: async (locale): Promise<Record<string, string>> =>
 *         locale === 'en' ? { doLogIn: 'Continue' } : {},
 *     }),
 *   }),
 * });
 * ```
 */
export const Theme = spi<Readonly<Record<never, never>>, ThemeProvider>({
  id: 'theme',
  name: 'Theme',
  // Users type their passwords into its pages, and follow the links in its mails.
  carries: 'credentials',
  realm: {
    key: 'loginTheme',
    *mentions({ loginTheme }) {
      if (typeof loginTheme === 'string') yield { id: loginTheme, path: ['loginTheme'], enabled: true };
    },
    example: (id) => `"loginTheme": "${id}"`,
  },
  methods: { optional: ['render', 'styles', 'messages', 'mail'] },
});
