import { spi } from '../plugin.js';

/**
 * A text by Keycloak's message key, from the realm's `localizationTexts`, the theme, or Keyhost itself. If none of them has the key,
 * `texts` has the text, in the page's language, else in English. Otherwise the key itself is the text. `{0}`, `{1}` … are the
 * parameters, `{0,duration}` is one that is a number of seconds, in words such as `5 minutes`, and two quotes are one.
 */
export interface Message {
  readonly key: string;
  readonly params?: readonly string[];
  /** The sender's own words by language, such as `de`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** A message and how it is meant. */
export interface Notice extends Message {
  readonly severity: 'error' | 'warning' | 'info' | 'success';
}

/** What every page shows. */
export interface PageFrame {
  readonly realm: { readonly name: string; readonly displayName: string };
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
  /** Where the same page is in other languages; empty when there is one language only. */
  readonly languages: readonly { readonly locale: string; readonly label: string; readonly url: string }[];
  readonly client?: {
    readonly clientId: string;
    readonly name: string;
    /** An image, which the policy of the pages `login` and `consent` lets them show. */
    readonly logoUri?: string;
    /** Where the application says what it does with people's data. */
    readonly policyUri?: string;
    /** Its terms of service. */
    readonly tosUri?: string;
  };
  /** Files of a step's plugin, as absolute paths: a document that the theme renders runs no scripts. */
  readonly resources?: {
    readonly scripts: readonly string[];
    readonly styles: readonly string[];
    readonly workers: readonly string[];
  };
  /** Above the content: what went wrong, or what was done. */
  readonly message?: Notice;
}

/** One field of a `form` page. */
export interface PageField {
  readonly name: string;
  readonly label: Message;
  /** `select`: a list to choose from; `choice`: the same as buttons or boxes; the others are what HTML calls so. */
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
  /** Of `select` and `choice`. */
  readonly options?: readonly { readonly value: string; readonly label: Message }[];
  /** True: any number of values, one a line in `value` and in the form that comes back. Of `textarea`, `select`, `choice`. */
  readonly multiple?: boolean;
  /** Shown, and not to be changed. */
  readonly readOnly?: boolean;
  readonly placeholder?: Message;
  /** Below the field. */
  readonly help?: Message;
  /** Above the field: a group of fields begins with it. */
  readonly heading?: Message;
  /** https://html.spec.whatwg.org/#autofill, such as `one-time-code`. */
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric' | 'text' | 'email' | 'tel';
  readonly required?: boolean;
  readonly error?: Message;
}

/**
 * A call of the browser's Web Authentication API, which the page's script makes when its button is pressed. The result
 * is sent as the field `credential`: the JSON text of a RegistrationResponseJSON or AuthenticationResponseJSON (Web
 * Authentication Level 3 §5.1); or as `error`: the name of the DOMException.
 */
export interface WebAuthnCall {
  readonly call: 'create' | 'get';
  /** JSON text of PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON. */
  readonly options: string;
}

/** Another step by which the user may go on instead of the one that the page belongs to. */
export interface OtherWay {
  /** Sent as the field `authenticationExecution`. */
  readonly execution: string;
  readonly label: Message;
}

/** What an application asks for: its name, and what that means where the scope describes itself. */
export interface ConsentedScope extends Message {
  readonly description?: Message;
}

/** A page of the login, by what it is for. Addresses are absolute paths or URLs, made by the host. */
export type Page = PageFrame &
  (
    | {
        readonly page: 'login';
        readonly action: string;
        readonly username: string;
        /** False: only this user can sign in. */
        readonly usernameEditable: boolean;
        /** False: the page asks for the username alone, and a later page for the password or something else. */
        readonly password?: false;
        /** How the box is set; undefined: the realm does not remember anyone. */
        readonly rememberMe: boolean | undefined;
        /** "Email", "Username" or "Username or email". */
        readonly usernameLabel: Message;
        /** Where a forgotten password is replaced, when the realm lets users do that. */
        readonly resetUrl?: string;
        /** Where the login begins again with another name, if the name was typed on an earlier page. */
        readonly restartUrl?: string;
        /** Offers a passkey in addition to the password: with a button, and when the browser fills in usernames. */
        readonly webauthn?: WebAuthnCall;
        readonly otherWays?: readonly OtherWay[];
        /** The identity providers that users can sign in with, in the order of the page. */
        readonly identityProviders?: readonly {
          readonly alias: string;
          readonly displayName: string;
          readonly url: string;
        }[];
        /** Where people register themselves, when the realm lets them. */
        readonly registrationUrl?: string;
      }
    | {
        readonly page: 'consent';
        readonly action: string;
        /** What is asked for, one text for each scope. */
        readonly scopes: readonly ConsentedScope[];
        /** Who is signed in, and decides. */
        readonly username?: string;
        /** Of a device that asks: the user sees that it is the code on their own device (RFC 8628 §3.3.1). */
        readonly userCode?: string;
      }
    /** `backUrl`: the application's own address. */
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
        /** Buttons in place of the one: each sends its value as the field `choice`. */
        readonly choices?: readonly { readonly value: string; readonly label: Message }[];
        readonly action: string;
        readonly fields: readonly (readonly [name: string, value: string])[];
      }
    /** OAuth 2.0 Form Post Response Mode: posted to the application by a script, or by a button where there is none. */
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
        /** An image, such as a QR code, and what it holds as text. */
        readonly figure?: { readonly image: string; readonly alternative: Message; readonly text: string };
        /** Codes that are shown this once, numbered, with buttons that print, copy and save them. */
        readonly codes?: readonly string[];
        /** What the button does before the form is sent. */
        readonly webauthn?: WebAuthnCall;
        /** Where the page's script asks, every so many seconds, whether the form can be sent. */
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
  /** Paragraphs in front of the link. */
  readonly before: readonly Message[];
  /** Mails of plugins may have none. */
  readonly link?: { readonly label: Message; readonly url: string };
  /** Paragraphs behind the link. */
  readonly after: readonly Message[];
}

/** A theme changes some parts and leaves the rest to the host's own pages. */
export interface ThemeProvider {
  /** The whole HTML document of a page; undefined leaves the page to the host. The host sets every header. */
  render?(page: Page): Promise<string | undefined>;
  /** CSS that follows the host's own, on the pages that the host renders. */
  styles?(): Promise<string>;
  /** Texts of a language by message key, before the host's own. */
  messages?(locale: string): Promise<Readonly<Record<string, string>>>;
  /** A mail as text and HTML; undefined leaves it to the host, with the texts of `messages`. */
  mail?(
    page: MailPage,
  ): Promise<{ readonly subject: string; readonly text: string; readonly html: string } | undefined>;
}

/**
 * Keycloak's themes. A realm chooses one for its pages by `loginTheme` and one for its mails by `emailTheme`; without them,
 * or with `keycloak` or `base`, it has the host's own. The account page has the styles and messages of `accountTheme`, else
 * of `loginTheme`.
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
