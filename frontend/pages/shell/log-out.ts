/** Ends the session on the server, and forgets all that was read: the log-in page is loaded anew. */
export async function logOut(): Promise<void> {
  await fetch('/logOut', { method: 'POST', credentials: 'same-origin', redirect: 'manual' }).catch(() => undefined);
  location.assign('/login');
}
