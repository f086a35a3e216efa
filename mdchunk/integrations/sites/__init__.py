"""Records of static sites: headings, anchors and addresses as their generators make them."""
