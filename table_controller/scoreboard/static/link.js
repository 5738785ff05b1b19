// News of the table: a stream, or polling where no stream is free.

const POLL_MS = 2000;
const AGAIN_MS = 10000;
const SILENT_MS = 10000; // three beats missed: the stream is dead, though open

export class Link {
  constructor(onNews) {
    this.onNews = onNews;
    this.polling = false;
    this.heardMs = performance.now();
    this.open();
    setInterval(() => this.watch(), 1000);
    document.addEventListener("visibilitychange", () => this.watch());
  }

  silentS() {
    return (performance.now() - this.heardMs) / 1000;
  }

  open() {
    this.openedMs = performance.now();
    this.source?.close();
    this.source = new EventSource("/events");
    this.source.onmessage = (event) => {
      this.polling = false;
      this.heard(JSON.parse(event.data));
    };
    this.source.addEventListener("beat", () => this.heard());
  }

  heard(news) {
    this.heardMs = performance.now();
    if (news) this.onNews(news);
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
      const answer = await fetch("/state", { cache: "no-store" });
      if (!answer.ok) return;
      this.heard(await answer.json());
      this.polling = this.source.readyState !== EventSource.OPEN;
    } catch {
      // Not reachable: silentS() tells it.
    }
  }
}
