// Makes a worker solve the challenge of the page, and sends the form only after that.
{
  const field = document.querySelector('input[name="altcha-challenge"]');
  if (field !== null) begin(field, new URL('solver.js', document.currentScript.src));
}

/** @param {HTMLInputElement} field @param {URL} solver */
function begin(field, solver) {
  const { challenge, sends, texts } = JSON.parse(field.value);
  const { form } = field;
  const answer = form.querySelector('input[name="altcha"]');
  const seen = document.getElementById('altcha-status');
  const note = document.getElementById('form-help-text-after-altcha-status');
  note.setAttribute('role', 'status');
  let submitter;
  let isBroken = false;
  let isWanted = sends;

  const say = (text) => {
    seen.value = text;
    note.textContent = '';
  };
  const broken = () => {
    isBroken = true;
    seen.value = '';
    note.textContent = texts.broken;
  };
  say(texts.working);

  const wait = (event) => {
    if (answer.value !== '' || isBroken || (event.submitter && event.submitter.name === 'cancel-aia')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    submitter = event.submitter;
    isWanted = true;
    say(texts.waiting);
  };
  form.addEventListener('submit', wait, true);

  const worker = new Worker(solver);
  worker.onerror = broken;
  worker.onmessage = (message) => {
    const number = message.data;
    worker.terminate();
    if (number === undefined) return broken();
    answer.value = btoa(JSON.stringify(Object.assign({}, challenge, { number })));
    say(texts.done);
    if (isWanted) form.requestSubmit(submitter);
  };
  worker.postMessage(challenge);
}
