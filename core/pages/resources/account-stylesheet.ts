/** The rules that the account pages add to the stylesheet: navigation, lists, and more types of fields. */
export const ACCOUNT_STYLESHEET = `body { justify-content: flex-start; gap: 1rem; }
header, main, footer, #kc-account-nav { max-width: 54rem; }
header { display: flex; gap: 1rem; align-items: center; justify-content: space-between; }
#kc-header-wrapper { justify-content: flex-start; min-width: 0; }
#kc-account-person { display: flex; gap: .75rem; align-items: center; min-width: 0; }
#kc-sign-out { white-space: nowrap; }
#kc-account-person form { flex: none; }
#kc-account-name { min-width: 0; font-size: .9375rem; text-align: end; }
#kc-account-nav .icon { flex: none; display: none; }
#kc-account-nav { width: 100%; }
#kc-account-nav ul { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0; padding: 0; list-style: none; }
#kc-account-nav a {
  display: inline-flex;
  align-items: center;
  min-height: 2.75rem;
  padding: 0 .75rem;
  border: 1px solid transparent;
  border-radius: .625rem;
  color: var(--soft-ink);
  font-size: .9375rem;
  font-weight: 550;
  text-decoration: none;
}
#kc-account-nav a:hover { color: var(--ink); text-decoration: underline; }
#kc-account-nav a[aria-current=page] { color: var(--accent); background: var(--card); border-color: var(--line); }
h2 { margin: 0; font-weight: 650; }
h3 { margin: 0; font-size: 1rem; font-weight: 550; }
h3 ~ p { color: var(--soft-ink); font-size: .9375rem; }
form h2 { margin-top: .5rem; }
h2 ~ form { margin-top: .75rem; }
h2 ~ p { color: var(--soft-ink); font-size: .9375rem; }
section + section, form + section, .items + section { margin-top: 2rem; }
.section-head { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
.section-head > div { flex: 1 1 14rem; min-width: 0; }
.items { margin: .75rem 0 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .625rem; }
.items > li { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: flex-start; justify-content: space-between; padding: .875rem 1rem; }
.items > li.section-head { align-items: center; }
.items > li + li { border-top: 1px solid var(--line); }
main > .items, main > p + .item-actions { margin-top: 1.25rem; }
.item { flex: 1 1 15rem; min-width: 0; }
.item-title { font-weight: 600; }
.item a { color: var(--accent); }
.badge {
  display: inline-block;
  padding: .0625rem .5rem;
  border-radius: .5rem;
  color: var(--success);
  background: var(--success-paper);
  font-size: .8125rem;
  font-weight: 600;
  white-space: nowrap;
}
.facts { display: grid; grid-template-columns: fit-content(9rem) minmax(0, 1fr); gap: .125rem .875rem; margin: .375rem 0 0; font-size: .9375rem; }
.facts dt { color: var(--soft-ink); }
.facts dd { margin: 0; }
.none { color: var(--soft-ink); }
.item-actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-start; }
.item-actions .button { flex: 0 1 auto; }
.item-actions .buttons, .section-head .buttons { margin: 0; }
.button.small { flex: 0 0 auto; min-width: 0; padding: .4375rem .875rem; font-size: .9375rem; }
.button.danger { color: var(--error); }
form .buttons .button { flex: 0 1 auto; }
details { flex: 1 1 100%; }
summary { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--accent); cursor: pointer; border-radius: .375rem; }
summary::before { content: "\\203A"; margin-inline-end: .5rem; font-weight: 700; }
details[open] > summary::before { transform: rotate(90deg); }
details form { flex-direction: row; flex-wrap: wrap; align-items: flex-end; gap: .75rem; padding-top: .25rem; }
details form .field { flex: 1 1 14rem; }
details form .buttons { margin: 0; }
.field-note { margin-top: -.75rem; color: var(--soft-ink); font-size: .9375rem; }
.field-note a { color: var(--accent); }
@media (max-width: 40rem) {
  #kc-account-nav ul { flex-wrap: nowrap; gap: .125rem; }
  #kc-account-nav li { flex: 1 1 0; min-width: min-content; overflow-wrap: break-word; }
  #kc-account-nav a {
    flex-direction: column;
    gap: .125rem;
    height: 100%;
    min-width: 2.75rem;
    padding: .375rem .125rem;
    font-size: .75rem;
    line-height: 1.25;
    text-align: center;
  }
  #kc-account-nav a > span { max-width: 100%; }
  #kc-account-nav .icon { display: block; }
}
@media (max-width: 26rem) {
  #kc-account-nav ul { gap: 0; overflow-x: auto; }
  #kc-account-nav a { padding-inline: 0; font-size: .6875rem; letter-spacing: -.01em; }
  #kc-account-nav a:focus-visible { outline-offset: -3px; }
  .facts { gap: .125rem .625rem; font-size: .875rem; }
}
`;
