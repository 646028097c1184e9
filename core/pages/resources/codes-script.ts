/** The buttons below a list of codes, which are hidden without this script. */
export const CODES_SCRIPT = `for (const button of document.querySelectorAll('[data-codes]')) {
  const codes = () => Array.from(document.querySelectorAll('.codes li'), (code, index) => index + 1 + ': ' + code.textContent);
  const file = () => [document.title, '', ...codes(), ''].join('\\n');
  const does = {
    print: () => print(),
    copy: () => navigator.clipboard.writeText(codes().join('\\n')).then(() => (button.textContent = button.dataset.done)),
    download: () => Object.assign(document.createElement('a'), {
      href: 'data:text/plain;charset=utf-8,' + encodeURIComponent(file()),
      download: 'recovery-codes.txt',
    }).click(),
  };
  button.hidden = button.dataset.codes === 'copy' && navigator.clipboard === undefined;
  button.addEventListener('click', () => does[button.dataset.codes]());
}
`;
