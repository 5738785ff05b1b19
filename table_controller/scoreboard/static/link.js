// News of the table: a stream, or polling where no stream is free.

const POLL_MS = 2000;
const AGAIN_MS = 10000;
const SILENT_MS = 10000; // three beats missed: the stream is dead, though open

export class Link {
  // onShut is called when the page may not ask any more: its log-in has ended.
  constructor(onNews, { events = "/events", state = "/state", onShut = () => {} } = {}) {
    Object.assign(this, { onNews, events, state, onShut, polling: false });
    this.note();
    this.open();
    setInterval(() => this.watch(), 1000);
    document.addEventListener("visibilitychange", () => this.wake());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    addEventListener("online", () => this.wake());
  }

  // In a device that slept one of the two clocks may have stood.
  silentS() {
    const passedMs = Math.max(performance.now() - this.heardMs, Date.now() - this.heardWallMs);
    return passedMs / 1000;
  }

  note() {
    this.heardMs = performance.now();
    this.heardWallMs = Date.now();
  }

  // The page is looked at again: what it shows may be old, its stream dead.
  wake() {
    if (document.hidden) return;
    if (this.silentS() * 1000 > SILENT_MS / 2) this.open();
    this.poll(performance.now());
  }

  open() {
    this.openedMs = performance.now();
    this.source?.close();
    this.source = new EventSource(this.events);
    this.source.onmessage = (event) => {
      this.polling = false;
      this.heard(JSON.parse(event.data));
    };
    this.source.addEventListener("beat", () => this.heard());
  }

  heard(news) {
    this.note();
    if (!news) return;
    this.newsMs = this.heardMs;
    this.onNews(news);
  }

  // A stream that was refused is closed for good: poll, and ask again later.
  watch() {
    const now = performance.now();
    const refused = this.source.readyState === EventSource.CLOSED;
    if (refused) this.poll(now);
    const since = now - Math.max(this.openedMs, refused ? 0 : this.heardMs);
    if (since > (refused ? AGAIN_MS : SILENT_MS)) this.open();
  }

  async poll(now) {
    if (now - (this.polledMs ?? -POLL_MS) < POLL_MS - 100) return;
    this.polledMs = now;
    try {
      const answer = await fetch(this.state, { cache: "no-store" });
      if (answer.status === 403) this.onShut();
      if (!answer.ok) return;
      const news = await answer.json();
      if (this.newsMs > now) return; // the stream was quicker
      this.heard(news);
      this.polling = this.source.readyState !== EventSource.OPEN;
    } catch {
      // Not reachable: silentS() tells it.
    }
  }
}
