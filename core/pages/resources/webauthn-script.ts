/**
 * Calls WebAuthn before a form is sent, and sends the result (Web Authentication Level 3 §5.1). The form's
 * `data-webauthn` names the call, and `data-options` has its options as JSON. With `data-conditional`, the browser may
 * offer passkeys when it fills in usernames.
 */
export const WEBAUTHN_SCRIPT = `for (const form of document.querySelectorAll('form[data-webauthn]')) {
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const { webauthn: call, options } = form.dataset;
  const publicKey = JSON.parse(options);
  publicKey.challenge = bytes(publicKey.challenge);
  if (publicKey.user) publicKey.user.id = bytes(publicKey.user.id);
  for (const list of [publicKey.allowCredentials, publicKey.excludeCredentials]) {
    for (const known of list ?? []) known.id = bytes(known.id);
  }
  const written = ({ id, rawId, type, authenticatorAttachment, response }) => JSON.stringify({
    id, rawId: text(rawId), type, authenticatorAttachment, clientExtensionResults: {},
    response: {
      ...Object.fromEntries(['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
        .filter((name) => response[name]).map((name) => [name, text(response[name])])),
      transports: response.getTransports?.(),
    },
  });
  let waiting;
  const run = async (mediation) => {
    waiting?.abort();
    const { signal } = (waiting = new AbortController());
    try {
      form.elements.credential.value = written(await navigator.credentials[call]({ publicKey, mediation, signal }));
    } catch (error) {
      if (signal.aborted || mediation !== undefined) return;
      form.elements.error.value = error.name;
    }
    HTMLFormElement.prototype.submit.call(form);
  };
  if (globalThis.PublicKeyCredential === undefined) {
    document.getElementById('kc-webauthn-unsupported')?.removeAttribute('hidden');
    form.querySelector('[type=submit]').disabled = true;
  } else {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      if (event.submitter?.name === 'cancel-aia') return;
      event.preventDefault();
      run();
    });
    if ('conditional' in form.dataset) {
      PublicKeyCredential.isConditionalMediationAvailable?.().then((can) => can && run('conditional'));
    }
  }
}
`;
