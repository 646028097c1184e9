/** The buttons below a list of codes, which are hidden without this script. */
export const CODES_SCRIPT = `Array.prototype.forEach.call(document.querySelectorAll('[data-codes]'), function (button) {
  function codes() {
    return Array.prototype.map.call(document.querySelectorAll('.codes li'), function (code, index) {
      return index + 1 + ': ' + code.textContent;
    });
  }
  var does = {
    print: function () { print(); },
    copy: function () {
      navigator.clipboard.writeText(codes().join('\\n')).then(function () { button.textContent = button.dataset.done; });
    },
    download: function () {
      var link = document.createElement('a');
      var lines = [document.title, ''].concat(codes(), '');
      link.href = 'data:text/plain;charset=utf-8,' + encodeURIComponent(lines.join('\\n'));
      link.download = 'recovery-codes.txt';
      link.click();
    },
  };
  button.hidden = button.dataset.codes === 'copy' && navigator.clipboard === undefined;
  button.addEventListener('click', function () { does[button.dataset.codes](); });
});
`;
