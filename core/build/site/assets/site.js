const $ = (selector) => document.querySelector(selector);

menu();
theme();
void versions();
search();

/** The menu of narrow screens. Without this script its link leads to the list of all pages. */
function menu() {
  const link = $('.menu');
  if (!link) return;
  const open = (isOpen) => {
    document.documentElement.classList.toggle('menu-open', isOpen);
    link.setAttribute('aria-expanded', String(isOpen));
  };
  link.setAttribute('role', 'button');
  link.addEventListener('click', (event) => {
    event.preventDefault();
    open(link.getAttribute('aria-expanded') !== 'true');
  });
  link.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    link.click();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || link.getAttribute('aria-expanded') !== 'true') return;
    open(false);
    link.focus();
  });
  // Long menus are scrolled to the current page.
  const current = $('#menu [aria-current]');
  const box = $('#menu');
  if (current && box) box.scrollTop = current.offsetTop - box.clientHeight / 2;
}

function theme() {
  const button = $('.theme');
  if (!button) return;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === 'dark' : system.matches;
  };
  const show = () => button.setAttribute('aria-pressed', String(isDark()));
  system.addEventListener('change', show);
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem('keyhost-docs-theme', theme);
    } catch {
      // The choice then holds for this page only.
    }
    show();
  });
  show();
}

/** Lists the other published versions. */
async function versions() {
  const select = $('[data-version]');
  if (!select) return;
  const { version, page } = select.dataset;
  const list = new URL(select.dataset.versions, location.href);
  const answer = await fetch(list).catch(() => undefined);
  if (!answer?.ok) return;
  for (const other of await answer.json()) {
    if (other !== version) select.append(new Option(other, other));
  }
  select.addEventListener('change', async () => {
    const same = new URL(`${select.value}/${page}`, list);
    const there = await fetch(same, { method: 'HEAD' }).catch(() => undefined);
    location.href = there?.ok ? same.href : new URL(`${select.value}/index.html`, list).href;
  });
}

function search() {
  const box = $('.search');
  const input = box?.querySelector('input');
  const list = box?.querySelector('ul');
  const status = box?.querySelector('[role="status"]');
  if (!box || !input || !list || !status) return;
  let pagefind;
  let active = -1;
  const load = () => {
    pagefind ??= import(new URL(box.dataset.program, location.href).href);
    return pagefind;
  };
  const options = () => [...list.querySelectorAll('a')];
  const activate = (index) => {
    const all = options();
    active = all.length === 0 ? -1 : (index + all.length) % all.length;
    for (const [at, option] of all.entries()) option.setAttribute('aria-selected', String(at === active));
    all[active]?.scrollIntoView({ block: 'nearest' });
    if (all[active]) input.setAttribute('aria-activedescendant', all[active].id);
    else input.removeAttribute('aria-activedescendant');
  };
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute('aria-expanded', 'false');
    activate(-1);
  };
  const show = (found) => {
    list.replaceChildren(...found.map(resultOf));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    active = -1;
    if (found.length > 0) activate(0);
    else list.append(Object.assign(document.createElement('li'), { className: 'none', textContent: 'No results.' }));
    status.textContent = found.length === 1 ? '1 result' : `${found.length} results`;
  };
  input.addEventListener('focus', () => void load());
  input.addEventListener('input', async () => {
    const term = input.value.trim();
    if (term === '') return close();
    const { debouncedSearch } = await load();
    const answer = await debouncedSearch(term, {}, 120);
    // Null: something else was typed meanwhile.
    if (answer === null || input.value.trim() !== term) return;
    const data = await Promise.all(answer.results.slice(0, 8).map((result) => result.data()));
    if (input.value.trim() === term) show(data);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      activate(active + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      options()[active]?.click();
    } else if (event.key === 'Escape') {
      if (input.value === '') input.blur();
      input.value = '';
      close();
    }
  });
  box.addEventListener('focusout', (event) => {
    if (!box.contains(event.relatedTarget)) close();
  });
  // Without this, a result on the same page would leave the list open.
  list.addEventListener('click', () => close());
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(input|textarea|select)$/i.test(event.target?.tagName ?? '');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

/** The best-matching section of a page. The excerpt is Pagefind's HTML, with the words marked. */
function resultOf({ url, meta, excerpt, sub_results: sections }, index) {
  const best = [...sections].sort((a, b) => b.locations.length - a.locations.length)[0];
  const item = document.createElement('li');
  const link = Object.assign(document.createElement('a'), {
    href: best?.url ?? url,
    id: `result-${index}`,
    tabIndex: -1,
  });
  link.className = 'result';
  link.setAttribute('role', 'option');
  const title = Object.assign(document.createElement('b'), { textContent: meta.title });
  link.append(title);
  if (best && best.title !== meta.title)
    link.append(Object.assign(document.createElement('span'), { className: 'section', textContent: best.title }));
  link.append(
    Object.assign(document.createElement('span'), { className: 'excerpt', innerHTML: best?.excerpt ?? excerpt }),
  );
  item.setAttribute('role', 'presentation');
  item.append(link);
  return item;
}
