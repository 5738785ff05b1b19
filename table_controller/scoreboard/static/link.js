// News of the table: a stream, or polling where no stream is free.

const POLL_MS = 2000;
const AGAIN_MS = 10000;
const LATE_MS = 4500; // a beat is missed
const SILENT_MS = 10000; // three are: the stream is dead, though open

export class Link {
  // onShut is called when the page may not ask any more: its log-in has ended.
  constructor(onNews, { events = "/events", state = "/state", onShut = () => {} } = {}) {
    Object.assign(this, { onNews, events, state, onShut, polling: false, streamedMs: 0 });
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
    if (this.silentS() * 1000 > LATE_MS) this.open();
    this.poll(performance.now());
  }

  open() {
    this.openedMs = performance.now();
    this.source?.close();
    this.source = new EventSource(this.events);
    this.failed = false;
    this.source.onerror = () => (this.failed = true); // it asks again by itself
    const streams = (news) => {
      this.polling = this.failed = false;
      this.streamedMs = performance.now();
      this.heard(news);
    };
    this.source.onmessage = (event) => streams(JSON.parse(event.data));
    this.source.addEventListener("beat", () => streams());
  }

  heard(news) {
    this.note();
    if (!news) return;
    this.newsMs = this.heardMs;
    this.onNews(news);
  }

  // A stream that was refused is closed for good, and one that only hangs says nothing:
  // poll meanwhile, and ask for another one.
  watch() {
    const now = performance.now();
    const refused = this.source.readyState === EventSource.CLOSED;
    const since = now - Math.max(this.openedMs, refused ? 0 : this.streamedMs);
    if (refused || (since > LATE_MS && !this.failed)) this.poll(now);
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
      this.polling = this.source.readyState !== EventSource.OPEN || now - this.streamedMs > LATE_MS;
    } catch {
      // Not reachable: silentS() tells it.
    }
  }
}
