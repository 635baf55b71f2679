/** `system`: as the browser prefers. */
export type Theme = 'system' | 'light' | 'dark';

export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

const KEY = 'proplane-theme';

export function rememberedTheme(): Theme {
  const text = reachable(() => localStorage.getItem(KEY));
  return THEMES.find((theme) => theme === text) ?? 'system';
}

export function rememberTheme(theme: Theme): void {
  reachable(() => localStorage.setItem(KEY, theme));
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Browsers can forbid what pages keep. */
function reachable<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
