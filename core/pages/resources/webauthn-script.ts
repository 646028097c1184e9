/**
 * Calls WebAuthn before a form is sent, and sends the result (Web Authentication Level 3 §5.1). The form's
 * `data-webauthn` names the call, and `data-options` has its options as JSON. With `data-conditional`, the browser may
 * offer passkeys when it fills in usernames.
 */
export const WEBAUTHN_SCRIPT = `Array.prototype.forEach.call(document.querySelectorAll('form[data-webauthn]'), function (form) {
  function bytes(text) {
    var binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    var result = new Uint8Array(binary.length);
    for (var index = 0; index < binary.length; index += 1) result[index] = binary.charCodeAt(index);
    return result;
  }
  function text(buffer) {
    var binary = Array.prototype.map.call(new Uint8Array(buffer), function (byte) { return String.fromCharCode(byte); });
    return btoa(binary.join('')).replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=/g, '');
  }
  var call = form.dataset.webauthn;
  var publicKey = JSON.parse(form.dataset.options);
  publicKey.challenge = bytes(publicKey.challenge);
  if (publicKey.user) publicKey.user.id = bytes(publicKey.user.id);
  [publicKey.allowCredentials, publicKey.excludeCredentials].forEach(function (list) {
    (list || []).forEach(function (known) { known.id = bytes(known.id); });
  });
  function written(credential) {
    var response = {};
    ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'].forEach(function (name) {
      if (credential.response[name]) response[name] = text(credential.response[name]);
    });
    if (credential.response.getTransports) response.transports = credential.response.getTransports();
    return JSON.stringify({
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      authenticatorAttachment: credential.authenticatorAttachment,
      clientExtensionResults: {},
      response: response,
    });
  }
  var waiting;
  function run(mediation) {
    if (waiting) waiting.abort();
    waiting = new AbortController();
    var signal = waiting.signal;
    new Promise(function (resolve) {
      resolve(navigator.credentials[call]({ publicKey: publicKey, mediation: mediation, signal: signal }));
    }).then(function (credential) {
      form.elements.credential.value = written(credential);
      return true;
    }).catch(function (error) {
      if (signal.aborted || mediation !== undefined) return false;
      form.elements.error.value = error.name;
      return true;
    }).then(function (isDone) {
      if (isDone) HTMLFormElement.prototype.submit.call(form);
    });
  }
  if (window.PublicKeyCredential === undefined) {
    var hint = document.getElementById('kc-webauthn-unsupported');
    if (hint) hint.removeAttribute('hidden');
    form.querySelector('[type=submit]').disabled = true;
  } else {
    form.hidden = false;
    form.addEventListener('submit', function (event) {
      if (event.submitter && event.submitter.name === 'cancel-aia') return;
      event.preventDefault();
      run();
    });
    if ('conditional' in form.dataset && PublicKeyCredential.isConditionalMediationAvailable) {
      PublicKeyCredential.isConditionalMediationAvailable().then(function (can) { if (can) run('conditional'); });
    }
  }
});
`;
