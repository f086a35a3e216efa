(() => {
  // Text on screen whose contrast with what is painted behind it is under 4.5 (WCAG AA).
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let it = element; it; it = it.parentElement) {
      const style = getComputedStyle(it);
      const tint = /^linear-gradient\((rgb\([^)]*\)|rgba\([^)]*\)|color\([^)]*\)|#\w+)/.exec(style.backgroundImage);
      if (tint) return rgb(tint[1]);
      const found = rgb(style.backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255, 255];
  };
  const weak = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest("script, .hidden, .skip")) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) weak.push(`${ratio.toFixed(2)} ${element.className} ${node.data.slice(0, 30)}`);
  }
  return weak;
})()
