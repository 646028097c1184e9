/**
 * The stylesheet of all pages. In both color schemes, text has a contrast of at least 4.5:1 and edges of at least 3:1.
 */
export const STYLESHEET = `:root {
  color-scheme: light dark;
  --paper: #eef1f6;
  --glow: #dfe7f5;
  --card: #ffffff;
  --ink: #171c26;
  --soft-ink: #4f5868;
  --line: #dce1ea;
  --edge: #79849a;
  --accent: #1d55cf;
  --accent-strong: #1644ab;
  --on-accent: #ffffff;
  --error: #a51425;
  --error-paper: #fdeef0;
  --warning: #7a4b00;
  --warning-paper: #fdf4e3;
  --success: #11633a;
  --success-paper: #e9f7ef;
  --info: #1a4a9c;
  --info-paper: #ebf2fd;
  --shadow: 0 1px 2px rgb(20 30 50 / .06), 0 12px 32px rgb(20 30 50 / .1);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0e1218;
    --glow: #18212f;
    --card: #181e27;
    --ink: #e9ecf2;
    --soft-ink: #aab4c4;
    --line: #2c3543;
    --edge: #77849a;
    --accent: #8fb5ff;
    --accent-strong: #b3cdff;
    --on-accent: #0a1c3d;
    --error: #ffb3ba;
    --error-paper: #3a181d;
    --warning: #f6cf85;
    --warning-paper: #362a12;
    --success: #93dcb1;
    --success-paper: #12301f;
    --info: #b0ccff;
    --info-paper: #17263f;
    --shadow: 0 1px 2px rgb(0 0 0 / .3), 0 12px 32px rgb(0 0 0 / .35);
  }
  .client-logo { background: #ffffff; }
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100dvh;
  padding: 1.5rem 1rem;
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  gap: 1.25rem;
  background: radial-gradient(60rem 30rem at 50% -6rem, var(--glow), transparent) var(--paper) no-repeat;
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, sans-serif;
  overflow-wrap: anywhere;
}
header, main, footer { width: 100%; max-width: 27rem; }
#kc-header-wrapper {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: .625rem;
  font-weight: 600;
  font-size: 1.0625rem;
}
.mark {
  flex: none;
  display: grid;
  place-items: center;
  width: 2rem;
  height: 2rem;
  border-radius: .625rem;
  background: var(--accent);
  color: var(--on-accent);
  font-size: 1rem;
}
main {
  padding: 2rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 1rem;
  box-shadow: var(--shadow);
}
.client-logo { display: block; width: fit-content; max-width: min(100%, 12rem); max-height: 4rem; margin: 0 0 1rem; border-radius: .375rem; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 0; }
h1 ~ * { margin-top: 1.25rem; }
h1 ~ .subtitle { margin-top: .25rem; color: var(--soft-ink); }
form { display: flex; flex-direction: column; gap: 1.125rem; }
label { display: block; margin-bottom: .375rem; font-weight: 550; font-size: .9375rem; }
.field-beside { display: grid; grid-template-columns: 1fr auto; column-gap: 1rem; align-items: baseline; }
.field-beside > * { grid-column: 1 / -1; }
.field-beside > label { grid-column: 1; }
.field-beside > a { grid-area: 1 / 2; display: inline-flex; align-items: center; min-height: 2.75rem; margin: -.75rem 0; color: var(--accent); border-radius: .375rem; font-size: .9375rem; }
.field-beside > a:hover { color: var(--accent-strong); }
input:not([type=checkbox], [type=radio], [type=submit], [type=hidden]), textarea, select {
  display: block;
  width: 100%;
  min-height: 2.75rem;
  padding: .5rem .75rem;
  font: inherit;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: .625rem;
}
textarea { resize: vertical; }
select { appearance: auto; }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
legend { padding: 0; font-weight: 550; font-size: .9375rem; }
fieldset .check { margin: 0; }
h2 { margin: .5rem 0 -.25rem; font-size: 1.0625rem; line-height: 1.4; }
input[aria-invalid=true]:not([type=checkbox]), :is(textarea, select)[aria-invalid=true] { border-color: var(--error); box-shadow: 0 0 0 1px var(--error); }
:is(input, textarea)[readonly], select:disabled { background: var(--paper); color: var(--soft-ink); }
.password { position: relative; }
.password:has(.show-password:not([hidden])) input { padding-inline-end: 3.25rem; }
.show-password {
  position: absolute;
  inset-block: 0;
  inset-inline-end: 0;
  width: 2.75rem;
  min-height: 2.75rem;
  display: grid;
  place-items: center;
  padding: 0;
  border: 0;
  border-radius: .625rem;
  background: none;
  color: var(--soft-ink);
  cursor: pointer;
}
.show-password:hover { color: var(--ink); }
.show-password .strike { visibility: hidden; }
.show-password[data-shown] .strike { visibility: visible; }
.check { display: flex; align-items: center; gap: .625rem; min-height: 2.75rem; margin: -.5rem 0; cursor: pointer; font-weight: 400; }
.check input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.fault { color: var(--soft-ink); font-size: .875rem; overflow-wrap: anywhere; }
.field-help { margin-top: .375rem; color: var(--soft-ink); font-size: .875rem; }
.field-error { margin-top: .375rem; color: var(--error); font-size: .9375rem; }
.check + .field-error { margin-top: .75rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
form .buttons { margin-top: .25rem; }
.choices { flex-direction: column; }
.button {
  flex: 1 0 auto;
  min-width: 8rem;
  max-width: 100%;
  min-height: 2.75rem;
  padding: .5rem 1.25rem;
  font: inherit;
  font-weight: 600;
  line-height: 1.625rem;
  text-align: center;
  text-decoration: none;
  white-space: normal;
  color: var(--on-accent);
  background: var(--accent);
  border: 1px solid transparent;
  border-radius: .625rem;
  cursor: pointer;
  -webkit-appearance: none;
  appearance: none;
}
.button:hover { background: var(--accent-strong); }
.button.secondary { color: var(--ink); background: none; border-color: var(--edge); }
.button.secondary:hover { background: var(--paper); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.icon { width: 1.25rem; height: 1.25rem; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.alert { display: flex; gap: .625rem; padding: .75rem .875rem; border-radius: .625rem; }
.alert .icon { flex: none; margin-top: .125rem; }
.alert-text { min-width: 0; }
.alert-error { color: var(--error); background: var(--error-paper); }
.alert-warning { color: var(--warning); background: var(--warning-paper); }
.alert-success { color: var(--success); background: var(--success-paper); }
.alert-info { color: var(--info); background: var(--info-paper); }
.scopes { margin-bottom: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .625rem; }
form + .links:has(+ .links) { margin-bottom: 0; }
.links + .links { margin: 0 0 -.625rem; }
form + .links { margin: .75rem 0 -.625rem; }
#kc-confirm-text + * { margin-top: 1.25rem; }
.scopes + form { margin-top: 1.25rem; }
#kc-oauth > * + *, #kc-logout-message + * { margin-top: 1.25rem; }
.scopes li { padding: .625rem .875rem; }
.scope-help { display: block; color: var(--soft-ink); font-size: .9375rem; }
.scopes li + li { border-top: 1px solid var(--line); }
#kc-oauth-information p { color: var(--soft-ink); font-size: .9375rem; }
#kc-oauth-information .links { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: .25rem 0 -.5rem; padding: 0; list-style: none; }
.links a {
  display: inline-flex;
  align-items: center;
  min-height: 2.75rem;
  color: var(--accent);
  border-radius: .375rem;
}
.links a:hover { color: var(--accent-strong); }
#kc-social-providers { padding-top: 1.25rem; border-top: 1px solid var(--line); }
#kc-social-providers h2 { margin: 0 0 .75rem; font-size: .9375rem; font-weight: 550; color: var(--soft-ink); }
#kc-social-providers ul { display: flex; flex-direction: column; gap: .625rem; margin: 0; padding: 0; list-style: none; }
#kc-social-providers .button { display: flex; gap: .625rem; align-items: center; justify-content: center; overflow-wrap: anywhere; }
#kc-social-providers .icon { flex: none; color: var(--soft-ink); }
#kc-social-providers .button span { min-width: 0; }
.figure { display: flex; flex-direction: column; gap: .75rem; align-items: center; }
.figure img { width: 100%; max-width: 14rem; height: auto; border-radius: .625rem; background: #ffffff; }
.figure .user-code { width: 100%; font-size: 1.0625rem; letter-spacing: .04em; }
.user-code {
  padding: .625rem .875rem;
  border: 1px solid var(--line);
  border-radius: .625rem;
  background: var(--paper);
  font: 600 1.5rem/1.4 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace;
  letter-spacing: .08em;
  text-align: center;
}
.needed { padding: .75rem .875rem; border-radius: .625rem; color: var(--warning); background: var(--warning-paper); }
noscript .needed { margin-top: 1.25rem; }
#kc-form-passkey { margin-top: .75rem; }
#kc-select-try-another-way-form { gap: .75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
#kc-select-try-another-way-form p { color: var(--soft-ink); }
#kc-select-try-another-way-form .button { flex: 1 1 100%; padding-inline: .75rem; }
.codes { display: flex; flex-direction: column; gap: 1rem; }
.codes ol {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(11.5rem, 1fr));
  gap: .375rem 1rem;
  margin: 0;
  padding: 1rem 1rem 1rem 3rem;
  border: 1px solid var(--line);
  border-radius: .625rem;
  background: var(--paper);
  font: 600 1rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace;
}
.codes li::marker { color: var(--soft-ink); font-weight: 400; }
.codes .button { min-width: 7rem; }
footer ul { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 .25rem; margin: 0; padding: 0; list-style: none; }
footer a {
  display: inline-flex;
  align-items: center;
  min-width: 2.75rem;
  min-height: 2.75rem;
  padding: 0 .625rem;
  border-radius: .625rem;
  color: var(--soft-ink);
  font-size: .9375rem;
  text-decoration: none;
}
footer a:hover { color: var(--ink); text-decoration: underline; }
footer a[aria-current] { color: var(--ink); font-weight: 600; }
@media (max-width: 26rem) {
  body { padding: 1rem .75rem; }
  main { padding: 1.5rem 1.125rem; }
}
@media print {
  form, footer, .buttons { display: none !important; }
}
@media (forced-colors: active) {
  main, .alert, .button { border: 1px solid; }
}
`;
